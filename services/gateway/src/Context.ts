import type { TrustedProxies } from '@firn/http'
import type { UsageRequest } from '@firn/store'
import type { Admission } from './Admission.ts'
import type { BypassTokens } from './BypassTokens.ts'
import type { Chain } from './Chain.ts'
import type { Asking } from './Forward.ts'
import type { GatewayLog } from './GatewayLog.ts'
import type { Limits } from './Limits.ts'
import type { Costs } from './MethodCosts.ts'

/** The dependencies for serving requests. */
export interface GatewayContext {
  /** By every name that `/rpc/{chainId}` accepts. */
  readonly chains: ReadonlyMap<string, Chain>
  readonly limits: Limits
  readonly admission: Admission
  readonly tokens: BypassTokens
  readonly costs: Costs
  readonly agents: Asking['agents']
  /** The trusted proxies. */
  readonly trusted: TrustedProxies.TrustedProxies
  /** Counts a request without waiting. */
  readonly count: (request: UsageRequest) => void
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number
  readonly log: GatewayLog
}
