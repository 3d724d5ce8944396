import type { ChapterText } from "../../figure/chapter.js";

export const engines: ChapterText = {
  id: "engines",
  title: "Engines",
  sentence:
    "Every engine has its own <code>Math.sin</code>: the same code in another browser soon plays a different game.",
  more: [
    "This swarm has 64 agents and uses the functions of <code>Math</code>. Your browser runs it now; the positions from Chromium, Firefox and WebKit were recorded. ECMAScript leaves the last bit of <code>Math.sin</code>, <code>cos</code>, <code>atan2</code> and <code>exp</code> to the engine. The states differ after the first step, by a last bit. You cannot see it for 700 steps. Then the swarms separate.",
    "<code>tickwise/math</code> has the same functions, built only from operations that ECMAScript defines to the bit. With it, all engines compute the same swarm: every 100 steps, your browser compares its state with the recorded ones.",
  ],
  sides: { broken: "Math", fixed: "tickwise/math" },
  control: { label: "Time-lapse", min: 1, max: 12, step: 1, initial: 7, unit: "steps per frame" },
  code: {
    broken: `function step(agent: Agent, leader: Agent) {
  const dx = leader.x - agent.x;
  const dy = leader.y - agent.y;
  const wanted = Math.atan2(dy, dx);
  agent.heading += 0.1 * Math.sin(wanted - agent.heading);
  agent.x += SPEED * Math.cos(agent.heading);
  agent.y += SPEED * Math.sin(agent.heading);
}`,
    fixed: `import { atan2, cos, sin } from "tickwise/math";

function step(agent: Agent, leader: Agent) {
  const dx = leader.x - agent.x;
  const dy = leader.y - agent.y;
  const wanted = atan2(dy, dx);
  agent.heading += 0.1 * sin(wanted - agent.heading);
  agent.x += SPEED * cos(agent.heading);
  agent.y += SPEED * sin(agent.heading);
}`,
  },
  alt: "Swarms with trails, labelled with the names of JavaScript engines. On Math, one trail splits into three; on tickwise/math, all engines share one.",
  strip: "height of the leader in JavaScriptCore, with that in V8 as the line,",
  links: { docs: "/docs/math/", lab: "/lab/#engines" },
};
