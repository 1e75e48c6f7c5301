import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  Clock,
  GenesisFiles,
  type Logger,
  loadNetwork,
  type OpenedNetwork,
  openNetwork,
  readNetworkId,
} from '@firn/indexer'
import { Store, schemaOf } from '@firn/store'
import { formatLogLine } from '../LogLine.ts'
import type { Terminal } from '../Terminal.ts'

/** Flags that name a database and its network. */
export type Options = {
  readonly upstream?: readonly string[]
  readonly databaseUrl?: string
  readonly dataDir: string
  readonly schema?: string
  readonly networkId?: number
  readonly genesisFile?: string
  readonly genesisFileContent?: string
  readonly upgradeFile?: string
  readonly upgradeFileContent?: string
  /** Of a service: the longest time of a request, and so of a statement on PostgreSQL, in milliseconds. */
  readonly timeout?: number
}

/** The nodes of `--upstream`. */
export const nodes = ({ upstream = [] }: Pick<Options, 'upstream'>) => upstream.map((url) => ({ url }))

/** The store of a network: PostgreSQL, or PGlite in the data folder. */
export const openStore = (
  { databaseUrl, dataDir, schema, timeout }: Pick<Options, 'databaseUrl' | 'dataDir' | 'schema' | 'timeout'>,
  networkID: number,
  log: Logger.Logger,
): Promise<Store> => {
  const named = { schema: schema ?? schemaOf(networkID), log }
  if (databaseUrl !== undefined)
    return Store.open({ ...named, url: databaseUrl, statementTimeoutMs: timeout })
  const folder = join(dataDir, 'db')
  mkdirSync(folder, { recursive: true })
  return Store.open({ ...named, folder })
}

const networkOptions = (options: Options, from: string | undefined) => {
  const { networkId: networkID, upstream: _upstream, ...rest } = options
  const [upstreams, clock] = [nodes(options), Clock.SYSTEM]
  return { ...rest, networkID, from, upstreams, clock, random: Math.random }
}

/** The store and the network that flags name; migrated, to be closed by the caller. */
export const open = (
  options: Options,
  from: string | undefined,
  terminal: Terminal,
): Promise<OpenedNetwork> =>
  openNetwork(
    networkOptions(options, from),
    (id) => openStore(options, id, logger(terminal)),
    terminal.signal,
  )

/** The network of the nodes, where its genesis is given or published and no database is needed. */
export const network = async (
  options: Options,
  terminal: Terminal,
): Promise<OpenedNetwork['rules'] | undefined> => {
  const { genesisFile, genesisFileContent } = options
  const asked = networkOptions(options, undefined)
  if (genesisFile !== undefined || genesisFileContent !== undefined)
    return loadNetwork(asked, terminal.signal)
  const networkID = options.networkId ?? (await readNetworkId(asked, terminal.signal))
  return GenesisFiles.isPublished(networkID)
    ? loadNetwork({ ...asked, networkID }, terminal.signal)
    : undefined
}

/** Returns a logger that writes to the terminal: warnings and errors always, other events where no progress bar moves. */
export const logger = (terminal: Terminal): Logger.Logger => ({
  debug: () => undefined,
  info: (facts, message) => {
    if (!terminal.isInteractive) terminal.note(formatLogLine(facts, message))
  },
  warn: (facts, message) => terminal.note(`warning: ${formatLogLine(facts, message)}`),
  error: (facts, message) => terminal.note(`error: ${formatLogLine(facts, message)}`),
})
