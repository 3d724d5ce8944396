import lighthouse from "lighthouse";

/** Runs Lighthouse some times, as it rates a simulated phone. Returns the median score of each category, from 0 to 100. */
export async function lighthouseScores(browser, address, runs) {
  const port = Number(new URL(browser.wsEndpoint()).port);
  const results = [];
  for (let run = 0; run < runs; run++) {
    const { lhr } = await lighthouse(address, { port, logLevel: "error", output: "json" });
    results.push(lhr);
  }
  const median = (category) => {
    const scores = results.map(({ categories }) => Math.round(100 * categories[category].score));
    return scores.sort((a, b) => a - b)[runs >> 1];
  };
  return {
    performance: median("performance"),
    accessibility: median("accessibility"),
    bestPractices: median("best-practices"),
    seo: median("seo"),
    failed: [...new Set(results.flatMap(failedAudits))],
  };
}

/** Returns the audits of categories that count and are below 0.9. */
function failedAudits({ categories, audits }) {
  const counted = Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs.filter(({ weight }) => weight > 0),
  );
  return counted.filter(({ id }) => (audits[id].score ?? 1) < 0.9).map(({ id }) => id);
}
