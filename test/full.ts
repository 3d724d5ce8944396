/** True in `npm run test:full`. `npm test` takes samples where the full run would take long and has long passed. */
export const FULL = process.env.TEST_FULL === "yes";
