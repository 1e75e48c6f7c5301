import type { Operators } from '@firn/operate'
import type { Clock } from '@firn/runtime'
import type { FastifyRequest } from 'fastify'
import type { Registry } from 'prom-client'
import type { Callers } from '../callers/Callers.ts'
import type { Configuration } from '../configuration/Configuration.ts'
import type { Epochs } from '../epochs/Epochs.ts'
import type { ValidityCheck } from '../epochs/ValidityCheck.ts'
import type { Forecast } from '../forecast/Forecast.ts'
import type { ReadinessCheck } from '../forecast/Readiness.ts'
import type { FairSlots } from '../jobs/FairSlots.ts'
import type { Jobs } from '../jobs/Jobs.ts'
import type { SourceChains } from '../jobs/SourceChains.ts'
import type { HeldBytes } from '../load/HeldBytes.ts'
import type { Health } from '../operate/Health.ts'
import type { MessageLog } from '../shared-log/MessageLog.ts'
import type { Signatures } from '../signing/Signatures.ts'
import type { Shutdown } from './Shutdown.ts'

/** Dependencies of the routes that collect signatures. */
export interface RouteDependencies extends AppDependencies {
  /** Names the caller whose budget is charged; undefined if callers have no budgets. */
  readonly callerName: ((request: FastifyRequest) => string) | undefined
  readonly callers: Callers
  readonly shutdown: Shutdown
}

/** Dependencies of the HTTP interface. */
export interface AppDependencies {
  readonly signatures: Signatures
  readonly heldBytes: HeldBytes
  readonly forecast: Forecast
  readonly checkReadiness: ReadinessCheck
  /** The log of messages and signatures; undefined without a database. */
  readonly messageLog?: MessageLog | undefined
  readonly validity: ValidityCheck
  readonly networkId: number
  readonly clock: Clock
  /** The limit on messages of batches and jobs that are signed at the same time. */
  readonly slots: FairSlots
  readonly jobs: Jobs
  readonly sourceChains: SourceChains
  readonly epochs: Pick<Epochs, 'assertConfigured'>
  /** Names of the served network that paths accept, such as `fuji` and `testnet`. */
  readonly networkNames: readonly string[]
  readonly health: () => Promise<Health>
  readonly register: Registry
  /** The endpoints for operators; by default the listener has none. */
  readonly operators?: Operators.Operators | undefined
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
    | 'shutdownTimeout'
    | 'trustedProxies'
    | 'unlimitedCallers'
  >
}
