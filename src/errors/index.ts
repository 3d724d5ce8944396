export { nearest } from "./nearest.js";
export { isTickwiseError, problemOf } from "./problem-of.js";
export { requireArguments, requireKnownOptions, requireOptions, unknownName } from "./options.js";
export {
  requireApart,
  requireFunction,
  requireNumber,
  requireNumbers,
  requireSynchronous,
  requireType,
  requireWhole,
} from "./require.js";
export { isPromise, showBytes, showValue, typeTag, shortened } from "./show-value.js";
export { badValue, misuse, onBehalfOf, TickwiseError, type ErrorCode } from "./tickwise-error.js";
