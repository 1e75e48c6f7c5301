import type { Registry } from 'prom-client'
import type { Configuration } from './Configuration.ts'
import type { Foresight } from './Foresight.ts'
import type { MessageLog } from './fleet/MessageLog.ts'
import type { Health } from './Health.ts'
import type { HeldBytes } from './HeldBytes.ts'
import type { ReadinessCheck } from './Readiness.ts'
import type { Signatures } from './Signatures.ts'
import type { ValidityCheck } from './ValidityCheck.ts'

/** Dependencies of the HTTP interface. */
export interface AppDependencies {
  readonly signatures: Signatures
  readonly heldBytes: HeldBytes
  readonly foresight: Foresight
  readonly checkReadiness: ReadinessCheck
  /** The log of messages and signatures; undefined without a database. */
  readonly messageLog?: MessageLog | undefined
  readonly validity: ValidityCheck
  readonly networkId: number
  /** Names of the served network that paths accept, such as `fuji` and `testnet`. */
  readonly networkNames: readonly string[]
  readonly health: () => Promise<Health>
  readonly register: Registry
  /** Version of this service, for the OpenAPI document. */
  readonly version: string
  readonly configuration: Pick<
    Configuration,
    | 'bodyLimitBytes'
    | 'requestTimeout'
    | 'rateLimitPerMinute'
    | 'p2pRequestsPerMinute'
    | 'apiKeys'
    | 'successStatus'
    | 'proxies'
    | 'trustedProxies'
  >
}
