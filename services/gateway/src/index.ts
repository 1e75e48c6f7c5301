/**
 * RPC gateway in front of the nodes of EVM chains. It provides a list of allowed methods, limits
 * per address, bypass tokens, failover, and usage statistics of every request.
 *
 * @packageDocumentation
 */

export { type BypassToken, createBypassToken, isTokenName } from './admission/BypassTokens.ts'
export * as Counted from './command/Counted.ts'
export * as GatewayCommand from './command/Options.ts'
export {
  type ChainOptions,
  createGateway,
  type Gateway,
  type GatewayOptions,
} from './Gateway.ts'
export { GatewayError, type GatewayErrorCode, isGatewayError, REFUSALS } from './GatewayError.ts'
export type { GatewayLog } from './GatewayLog.ts'
export { type Call, type Calls, readCalls } from './json-rpc/RequestReader.ts'
export { LIMITS, type Limits } from './Limits.ts'
export { COMMAND, main } from './Main.ts'
export { COSTS, type Costs, createCosts, type MethodCosts } from './methods/MethodCosts.ts'
export { ALLOWED, type MethodPolicyOptions } from './methods/MethodPolicy.ts'
export { CLASSES, METHODS, type Method, type MethodClass, SUBSCRIPTIONS } from './methods/Methods.ts'
export { ROUTES } from './operate/Operations.ts'
export { type Field, isField, LOG_FORMATS, type LogFormat, parseLogLine } from './usage/AccessLog.ts'
export { type BadLine, type LoadedLog, type LoadOptions, loadAccessLog } from './usage/AccessLogLoad.ts'
