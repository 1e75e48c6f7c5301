import type { TrustedProxies } from '@firn/http'
import type { Operators } from '@firn/operate'
import type { UsageRequest } from '@firn/service-store'
import type { Admission } from '../admission/Admission.ts'
import type { BypassTokens } from '../admission/BypassTokens.ts'
import type { GatewayLog } from '../GatewayLog.ts'
import type { Limits } from '../Limits.ts'
import type { Costs } from '../methods/MethodCosts.ts'
import type { Asking } from '../nodes/Forward.ts'
import type { Chain } from './Chain.ts'

/** Dependencies of the request handlers. */
export interface GatewayContext {
  /** The served chains, by each name that `/rpc/{chainId}` accepts. */
  readonly chains: ReadonlyMap<string, Chain>
  readonly limits: Limits
  readonly admission: Admission
  readonly tokens: BypassTokens
  readonly costs: Costs
  readonly agents: Asking['agents']
  /** Proxies whose forwarding headers are trusted. */
  readonly trusted: TrustedProxies.TrustedProxies
  /** The endpoints for operators. */
  readonly operators: Operators.Operators
  /** Records a request for the usage statistics, without waiting for the database. */
  readonly count: (request: UsageRequest) => void
  /** Returns the current time in milliseconds since 1970, with fractions. */
  readonly now: () => number
  readonly log: GatewayLog
}
