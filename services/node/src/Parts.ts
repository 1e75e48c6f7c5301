import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Id } from '@firn/codec'
import type { NodeSettings } from './admin/NodeSettings.ts'
import type { FurtherNames } from './Chains.ts'
import { readText, wrong } from './configuration/Layers.ts'
import { type Configuration, kebab } from './configuration/Options.ts'

type FileOption = 'chainAliasesFile' | 'vmAliasesFile'

/**
 * Names from a JSON file of ids and lists of names, or from the same in base64; none if neither is given.
 * @throws NodeError `NODE_CONFIGURATION`
 */
export function furtherNames(configuration: Configuration, option: FileOption): FurtherNames {
  const content = configuration[`${option}Content`]
  const path = configuration[option]
  if (content !== '')
    return parse(Buffer.from(content, 'base64').toString('utf8'), `${kebab(option)}-content`)
  if (path === '') return new Map()
  return parse(
    readText(path, kebab(option), (file) => readFileSync(file, 'utf8')),
    kebab(option),
  )
}

function parse(text: string, place: string): FurtherNames {
  const expected = `${place}: expected JSON like {"<id>":["name"]}`
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (cause) {
    throw wrong(`${expected} (${(cause as Error).message})`, cause)
  }
  if (typeof json !== 'object' || json === null) throw wrong(expected)
  for (const [id, names] of Object.entries(json)) {
    if (!isId(id)) throw wrong(`${expected}, got the id ${JSON.stringify(id)}`)
    if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
      throw wrong(`${expected}, got ${JSON.stringify(names)} for ${id}`)
  }
  return new Map(Object.entries(json) as [string, string[]][])
}

function isId(text: string): boolean {
  try {
    return Id.parse(text).length === 32
  } catch {
    return false
  }
}

/** The subnets of `--track-subnets`; 32 bytes each. @throws NodeError `NODE_CONFIGURATION` */
export function trackedSubnets({ trackSubnets }: Configuration): readonly Uint8Array[] {
  return trackSubnets.map((text) => {
    try {
      return Id.parse(text)
    } catch (cause) {
      throw wrong(`track-subnets: expected subnet ids in cb58, got ${JSON.stringify(text)}`, cause)
    }
  })
}

/** What `admin.getConfig` tells of a configuration. */
export function settings(
  configuration: Configuration,
  names: Record<FileOption, FurtherNames>,
): NodeSettings {
  const { dataDir, databaseUrl, dbDir, bootstrapIds, bootstrapIps, logLevel, logDisplayLevel } = configuration
  const [chainAliases, vmAliases] = [names.chainAliasesFile, names.vmAliasesFile].map((map) =>
    map.size === 0 ? null : Object.fromEntries(map),
  )
  const { httpHost, httpPort, httpTlsEnabled, httpAllowedOrigins, httpAllowedHosts } = configuration
  const { indexEnabled, indexAllowIncomplete, publicIp, stakingHost, stakingPort, logFormat } = configuration
  const { apiAdminEnabled, apiInfoEnabled, apiMetricsEnabled, apiHealthEnabled } = configuration
  return {
    ...{ httpHost, httpPort, httpTlsEnabled, httpAllowedOrigins, httpAllowedHosts },
    ...{ indexEnabled, indexAllowIncomplete, publicIp, stakingHost, stakingPort, logFormat, logLevel },
    ...{ apiAdminEnabled, apiInfoEnabled, apiMetricsEnabled, apiHealthEnabled },
    stakingFiles: {
      key: configuration.stakingTlsKeyFile,
      certificate: configuration.stakingTlsCertFile,
      signer: configuration.stakingSignerKeyFile,
    },
    isSignerFileSet: configuration.stakingSignerKeyFile !== join(dataDir, 'staking', 'signer.key'),
    database:
      databaseUrl === ''
        ? { name: 'pglite', path: dbDir }
        : { name: 'postgresql', path: placeOf(databaseUrl) },
    profileFolder: configuration.profileDir,
    logFolder: configuration.logDir,
    logDisplayLevel: logDisplayLevel === '' ? logLevel : logDisplayLevel,
    pluginFolder: configuration.pluginDir,
    chainDataFolder: join(dataDir, 'chainData'),
    processContextFile: join(dataDir, 'process.json'),
    trackedSubnets: configuration.trackSubnets,
    bootstrappers: bootstrapIds.map((id, index) => ({ id, ip: bootstrapIps[index] ?? '' })),
    chainAliases: chainAliases ?? null,
    vmAliases: vmAliases ?? null,
    healthCheckFrequency: BigInt(Math.round(configuration.healthCheckFrequency * 1e6)),
    networkMaxReconnectDelay: 60_000_000_000n,
    fdLimit: 32_768,
    parallelism: availableParallelism(),
  }
}

/** Host and name of a database, without user and password. */
function placeOf(databaseUrl: string): string {
  if (!URL.canParse(databaseUrl)) return ''
  const { host, pathname } = new URL(databaseUrl)
  return host + pathname
}
