import type { TrustedProxies } from '@firn/http'
import type { UsageRequest } from '@firn/store'
import type { Admission } from './Admission.ts'
import type { BypassTokens } from './BypassTokens.ts'
import type { Chain } from './Chain.ts'
import type { Asking } from './Forward.ts'
import type { GatewayLog } from './GatewayLog.ts'
import type { Limits } from './Limits.ts'
import type { Costs } from './MethodCosts.ts'

/** What requests are served with. */
export interface GatewayContext {
  /** By every name that `/rpc/{chainId}` takes. */
  readonly chains: ReadonlyMap<string, Chain>
  readonly limits: Limits
  readonly admission: Admission
  readonly tokens: BypassTokens
  readonly costs: Costs
  readonly agents: Asking['agents']
  /** The proxies in front. */
  readonly trusted: TrustedProxies.TrustedProxies
  /** Counts a request. Never waits. */
  readonly count: (request: UsageRequest) => void
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number
  readonly log: GatewayLog
}
