import type { Files } from '../identity/OwnIdentity.ts'
import type { Level } from '../Loggers.ts'

/** What of this process's configuration `admin.getConfig` tells, under the names of the node's flags. Durations are nanoseconds. */
export interface NodeSettings {
  readonly httpHost: string
  readonly httpPort: number
  readonly httpTlsEnabled: boolean
  readonly httpAllowedOrigins: readonly string[]
  readonly httpAllowedHosts: readonly string[]
  readonly indexEnabled: boolean
  readonly indexAllowIncomplete: boolean
  readonly apiAdminEnabled: boolean
  readonly apiInfoEnabled: boolean
  readonly apiMetricsEnabled: boolean
  readonly apiHealthEnabled: boolean
  /** What peers are told to dial; empty where they are told nothing. */
  readonly publicIp: string
  readonly stakingHost: string
  readonly stakingPort: number
  readonly stakingFiles: Files
  /** Whether the BLS key's file was named rather than found in the data folder. */
  readonly isSignerFileSet: boolean
  /** `DATABASE` and where it keeps its files, without anything secret. */
  readonly database: { readonly name: string; readonly path: string }
  readonly profileFolder: string
  readonly logFolder: string
  readonly logLevel: Level
  readonly logDisplayLevel: Level
  readonly logFormat: string
  readonly pluginFolder: string
  readonly chainDataFolder: string
  readonly processContextFile: string
  /** Ids in cb58. */
  readonly trackedSubnets: readonly string[]
  readonly bootstrappers: readonly { readonly id: string; readonly ip: string }[]
  readonly chainAliases: Readonly<Record<string, readonly string[]>> | null
  readonly vmAliases: Readonly<Record<string, readonly string[]>> | null
  readonly healthCheckFrequency: bigint
  readonly networkMaxReconnectDelay: bigint
  readonly fdLimit: number
  /** Processors that this process may use. */
  readonly parallelism: number
}
