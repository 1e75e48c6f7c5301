import { CHAIN_ALIASES, type ChainAlias, isFirnError, Json } from '@firn/codec'
import { Database } from '@firn/indexer'
import { Command, Common, option, type Terminal, Type, type Values } from '@firn/options'
import * as Meter from '@firn/options/meter'
import { FetchedBlocks, type Store } from '@firn/store'
import { CliError } from '../CliError.ts'

const SERVICE = 'http://127.0.0.1:8701'
const TIMEOUT_MS = 10_000

const OPTIONS = {
  url: option(Type.url('http', 'https'), {
    defaultText: `${SERVICE}, or the database if nothing listens there`,
    help: 'Service that syncs: the node API of firn up or firn node, or --metrics-port of firn index.',
  }),
  ...Common.NETWORK_DATABASE,
  ...Common.NETWORK_ID,
  json: option(Type.flag, { default: false, help: 'Print JSON.' }),
}

/** Options of `firn sync status`. */
export type Options = Values<typeof OPTIONS>

export const STATUS = Command.create({
  description:
    'Prints how far a sync is: phase, heights, peers, blocks per second and time left. Reads them from the running service, or from the database if no service runs.',
  example: '--url http://127.0.0.1:8701',
  options: OPTIONS,
  run: (options, { terminal }) => printStatus(options, terminal),
})

/** Heights of one chain. */
type Chain = {
  /** Height of the last applied block. */
  readonly applied: number
  /** Number of blocks that were fetched from peers and are not applied; undefined if unknown. */
  readonly fetched: number | undefined
  /** Height of the last accepted block; undefined if unknown. */
  readonly accepted: number | undefined
}

type Status = {
  /** Service that was asked; undefined if the status was read from the database. */
  readonly service: string | undefined
  readonly phase: string
  readonly peers: number | undefined
  readonly chains: Partial<Record<ChainAlias, Chain>>
  readonly blocksPerSecond: number | undefined
  readonly secondsLeft: number | undefined
  readonly isHealthy: boolean | undefined
}

/** Prints the status of the service, or of the database if no service is named and none listens on the default port. */
export const printStatus = async (
  options: Options,
  terminal: Terminal,
  defaultUrl = SERVICE,
): Promise<void> => {
  const status =
    (await ofService(options.url, defaultUrl, terminal.signal)) ?? (await ofDatabase(options, terminal))
  if (options.json) terminal.print(Json.stringify(toJson(status)))
  else for (const line of format(status)) terminal.print(line)
}

/** Returns the status of a service. Returns undefined if `url` is undefined and no service listens. */
const ofService = async (
  url: string | undefined,
  _defaultUrl: string,
  signal: AbortSignal,
): Promise<Status | undefined> => {
  const service = (url ?? SERVICE).replace(/\/+$/, '')
  try {
    const text = (await read(`${service}/ext/metrics`, signal)) ?? (await read(`${service}/metrics`, signal))
    if (text?.includes('firn_indexer_phase') === true) return parse(service, text)
  } catch (cause) {
    signal.throwIfAborted()
    if (url === undefined) return undefined
    const reason = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
    throw new CliError('CLI_INPUT', `cannot ask ${service}: ${(reason as Error).message}`, { cause })
  }
  if (url === undefined) return undefined
  throw new CliError('CLI_INPUT', `${service} has no metrics of a sync: expected firn up, node or index`)
}

/** Returns the text at a URL; undefined if there is none. */
const read = async (url: string, signal: AbortSignal): Promise<string | undefined> => {
  const answer = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
  return answer.ok ? answer.text() : undefined
}

const METRIC = /^firn_indexer_(\w+?)(?:\{(\w+)="([^"]*)"\})? (\S+)$/gm

/** Reads the metrics of an indexer. */
const parse = (service: string, text: string): Status => {
  const values = new Map<string, number>()
  let phase = 'starting'
  for (const [, name = '', , label, value = ''] of text.matchAll(METRIC)) {
    if (name === 'phase' && label !== undefined) phase = label
    values.set(label === undefined ? name : `${name} ${label}`, Number(value))
  }
  const chains: Status['chains'] = Object.fromEntries(
    CHAIN_ALIASES.flatMap((chain) => {
      const of = (name: string) => values.get(`${name} ${chain}`)
      const accepted = of('accepted_height') ?? of('source_height')
      const applied = of('height') ?? 0
      const fetched = isFetching(phase) ? of('fetched_blocks') : undefined
      const isKnown = [accepted, fetched, of('height')].some((one) => one !== undefined)
      return isKnown ? [[chain, { applied, fetched, accepted }]] : []
    }),
  )
  const left = values.get('seconds_left') ?? -1
  return {
    service,
    phase,
    peers: values.get('peers'),
    chains,
    blocksPerSecond: values.get('blocks_per_second'),
    secondsLeft: left < 0 ? undefined : left,
    isHealthy: values.get('healthy') === 1,
  }
}

const isFetching = (phase: string): boolean => phase === 'bootstrapping' || phase === 'fetching'

const ofDatabase = async (options: Options, terminal: Terminal): Promise<Status> => {
  const store = await Database.openStored({ ...options, attach: true }, terminal)
  try {
    return await ofStore(store)
  } finally {
    await store.close()
  }
}

/** Returns what a database contains. */
export const ofStore = async (store: Store): Promise<Status> => {
  const chains: [ChainAlias, Chain][] = []
  const at = await appliedHeights(store)
  for (const chain of CHAIN_ALIASES) {
    const [applied, intervals] = [at[chain], await FetchedBlocks.intervals(store, chain)]
    const waiting = intervals.map(({ from, to }) => Number(to) - Math.max(Number(from), applied + 1) + 1)
    const fetched = waiting.reduce((sum, count) => sum + Math.max(count, 0), 0)
    chains.push([chain, { applied, fetched, accepted: undefined }])
  }
  const unknown = {
    peers: undefined,
    blocksPerSecond: undefined,
    secondsLeft: undefined,
    isHealthy: undefined,
  }
  return { service: undefined, phase: 'stopped', chains: Object.fromEntries(chains), ...unknown }
}

const appliedHeights = async (store: Store): Promise<Record<ChainAlias, number>> => {
  try {
    const { P, X, C } = await store.snapshot()
    return { P: Number(P.height), X: Number(X.height), C: Number(C.height) }
  } catch (error) {
    if (isFirnError(error) && error.code === 'STORE_EMPTY') return { P: 0, X: 0, C: 0 }
    throw error
  }
}

const toJson = ({ chains, ...status }: Status): Json.Json => {
  const orNull = <T extends object>(value: T) =>
    Object.fromEntries(Object.entries(value).map(([name, one]) => [name, one ?? null]))
  return {
    ...orNull(status),
    chains: Object.fromEntries(Object.entries(chains).map(([chain, one]) => [chain, orNull(one)])),
  }
}

const WIDTH = 14

/** Returns the lines for people. */
export const format = (status: Status): readonly string[] => {
  const { service, phase, peers, chains, blocksPerSecond, secondsLeft, isHealthy } = status
  const columns = (['applied', 'fetched', 'accepted'] as const).filter((name) =>
    Object.values(chains).some((one) => one[name] !== undefined),
  )
  const cell = (value: number | undefined) =>
    (value === undefined ? '' : value.toLocaleString('en')).padStart(WIDTH)
  const rows = Object.entries(chains).map(
    ([chain, one]) => `${chain.padEnd(9)}${columns.map((name) => cell(one[name])).join('')}`,
  )
  const left = secondsLeft === undefined || secondsLeft === 0 ? '' : `, ${Meter.duration(secondsLeft)} left`
  return [
    `phase    ${phase}${peers === undefined ? '' : `, ${peers} peers`}`,
    ...(service === undefined ? [] : [`service  ${service}`]),
    `chain    ${columns.map((title) => title.padStart(WIDTH)).join('')}`,
    ...rows,
    ...(blocksPerSecond === undefined
      ? []
      : [`speed    ${Math.round(blocksPerSecond).toLocaleString('en')} blocks/s${left}`]),
    ...(isHealthy === false ? [`problem  see ${service}/ext/health or ${service}/health`] : []),
  ]
}
