/**
 * RPC gateway in front of the nodes of EVM chains. It provides a list of allowed methods, limits
 * per address, bypass tokens, failover, and usage statistics of every request.
 *
 * @packageDocumentation
 */

export { type Field, isField, LOG_FORMATS, type LogFormat, parseLogLine } from './AccessLog.ts'
export { type BadLine, type LoadedLog, type LoadOptions, loadAccessLog } from './AccessLogLoad.ts'
export { type BypassToken, createBypassToken, isTokenName } from './BypassTokens.ts'
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
export { LIMITS, type Limits } from './Limits.ts'
export { COMMAND, main } from './Main.ts'
export { COSTS, type Costs, createCosts, type MethodCosts } from './MethodCosts.ts'
export { ALLOWED, type MethodPolicyOptions } from './MethodPolicy.ts'
export { CLASSES, METHODS, type Method, type MethodClass, SUBSCRIPTIONS } from './Methods.ts'
export { ROUTES } from './Operations.ts'
export { type Call, type Calls, readCalls } from './RequestReader.ts'
