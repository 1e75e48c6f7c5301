import { Hex, isFirnError } from '@firn/codec'
import { BlockReader, type EvmError } from '@firn/evm'
import type { LogSelection } from '@firn/evm-store'
import { isObject } from '@firn/rpc'
import { IndexerError } from '../../common/IndexerError.ts'
import { type Ask, absent, type BlockRequest, type Outcome } from './assemble.ts'
import type { BatchSize } from './BatchSize.ts'
import * as Calls from './calls.ts'
import type { Answer } from './JsonRpc.ts'

/** How the logs of blocks are requested. */
export interface LogNeeds {
  readonly selection: LogSelection
  /**
   * Height up to which blocks are final. Their logs are requested for ranges of blocks, logs of later
   * blocks by the blocks' hashes.
   */
  readonly lastFinal: bigint
  /** Number of blocks in a range, adapted to the limits of the node. */
  readonly range: BatchSize
  readonly name: string
}

type Logs = readonly unknown[]

/**
 * Reads blocks without their transactions from one node: their headers, and their selected logs. `BlockReader` checks
 * that the logs belong to the headers.
 */
export async function assembleLogs(
  ask: Ask,
  requests: readonly BlockRequest[],
  needs: LogNeeds,
): Promise<readonly Outcome[]> {
  const { name, lastFinal } = needs
  const headers = new Map<bigint, unknown>()
  const logs = new Map<bigint, Logs | IndexerError>()
  const isFinal = ({ height, hash }: BlockRequest) => height <= lastFinal && hash === undefined
  for (const range of rangesOf(requests.filter(isFinal), needs.range.current()))
    await readRange(ask, range, needs, headers, logs)
  await readByHash(
    ask,
    requests.filter((request) => !isFinal(request)),
    needs,
    headers,
    logs,
  )
  return requests.map((request) => outcomeOf(request, headers.get(request.height), logs, name))
}

/** Splits requests into ranges of consecutive heights, of at most `most` blocks. */
function rangesOf(requests: readonly BlockRequest[], most: number): readonly (readonly BlockRequest[])[] {
  const ranges: BlockRequest[][] = []
  for (const request of requests) {
    const range = ranges.at(-1)
    if (range !== undefined && range.length < most && range.at(-1)?.height === request.height - 1n)
      range.push(request)
    else ranges.push([request])
  }
  return ranges
}

/** Reads the headers and logs of consecutive blocks. If the node refuses the range, reads both halves. */
async function readRange(
  ask: Ask,
  range: readonly BlockRequest[],
  needs: LogNeeds,
  headers: Map<bigint, unknown>,
  logs: Map<bigint, Logs | IndexerError>,
): Promise<void> {
  const [first, last] = [range[0]?.height ?? 0n, range.at(-1)?.height ?? 0n]
  const open = range.filter(({ height }) => !headers.has(height)).reverse()
  const filter = { fromBlock: Calls.quantity(first), toBlock: Calls.quantity(last) }
  // A node behind the range returns fewer logs instead of an error. The header of the last block, in the same request,
  // shows that it has the whole range.
  const [answer, ...found] = await ask([
    Calls.logs(filter, needs.selection),
    ...open.map(({ height }) => Calls.header(height)),
  ])
  open.forEach(({ height }, i) => {
    if (found[i]?.error === undefined) headers.set(height, found[i]?.result)
  })
  const read = readLogs(answer, needs)
  if (!(read instanceof IndexerError)) {
    needs.range.accepted(range.length)
    const byHeight = Map.groupBy(read, heightOf)
    // A log without a block of the range makes the whole answer wrong, so it is passed on to be rejected.
    const stray = [...byHeight].flatMap(([at, own]) =>
      at === undefined || at < first || at > last ? own : [],
    )
    for (const { height } of range) logs.set(height, [...(byHeight.get(height) ?? []), ...stray])
    return
  }
  if (range.length === 1) {
    logs.set(first, read)
    return
  }
  needs.range.refused(range.length)
  const half = Math.ceil(range.length / 2)
  await readRange(ask, range.slice(0, half), needs, headers, logs)
  await readRange(ask, range.slice(half), needs, headers, logs)
}

function heightOf(log: unknown): bigint | undefined {
  const number = isObject(log) ? log['blockNumber'] : undefined
  return typeof number === 'string' && /^0x[0-9a-fA-F]{1,16}$/.test(number) ? BigInt(number) : undefined
}

/** Reads headers, and the logs by the blocks' hashes. Known hashes are requested at once. */
async function readByHash(
  ask: Ask,
  requests: readonly BlockRequest[],
  needs: LogNeeds,
  headers: Map<bigint, unknown>,
  logs: Map<bigint, Logs | IndexerError>,
): Promise<void> {
  const hashes = new Map(requests.map(({ height, hash }) => [height, hash]))
  const known = requests.filter(({ hash }) => hash !== undefined)
  const logCalls = (of: readonly BlockRequest[]) =>
    of.map(({ height }) => Calls.logs({ blockHash: hashes.get(height) }, needs.selection))
  const take = (of: readonly BlockRequest[], answers: readonly (Answer | undefined)[]) =>
    of.forEach(({ height }, i) => {
      logs.set(height, readLogs(answers[i], needs))
    })
  if (requests.length === 0) return
  const answers = await ask([
    ...requests.map(({ height, hash }) => (hash === undefined ? Calls.header(height) : Calls.headerOf(hash))),
    ...logCalls(known),
  ])
  requests.forEach(({ height, hash }, i) => {
    const header = answers[i]?.result
    headers.set(height, header)
    if (hash === undefined && isObject(header)) hashes.set(height, String(header['hash']))
  })
  take(known, answers.slice(requests.length))
  const rest = requests.filter(({ height, hash }) => hash === undefined && hashes.get(height) !== undefined)
  if (rest.length > 0) take(rest, await ask(logCalls(rest)))
}

/** Returns the selected logs of an answer, or the error. */
function readLogs(answer: Answer | undefined, { selection, name }: LogNeeds): Logs | IndexerError {
  if (answer?.error !== undefined) return answer.error
  if (!Array.isArray(answer?.result)) return absent(name, 'logs')
  return answer.result.filter((log) => isSelected(log, selection))
}

function isSelected(log: unknown, selection: LogSelection): boolean {
  if (!isObject(log) || !Array.isArray(log['topics'])) return true
  const [topic, address] = [String(log['topics'][0]).toLowerCase(), String(log['address']).toLowerCase()]
  return selection.some(
    (one) =>
      Hex.encode(one.topic0) === topic && (one.address === undefined || Hex.encode(one.address) === address),
  )
}

function outcomeOf(
  { height, hash }: BlockRequest,
  header: unknown,
  found: ReadonlyMap<bigint, Logs | IndexerError>,
  name: string,
): Outcome {
  if (!isObject(header)) return { error: absent(name, `block ${hash ?? height}`) }
  const logs = found.get(height)
  if (logs instanceof IndexerError) return { error: logs }
  if (logs === undefined) return { error: absent(name, `logs of block ${hash ?? height}`) }
  try {
    const block = BlockReader.readSelected({ block: header, logs })
    const isSame = hash === undefined || Hex.encode(block.hash) === hash.toLowerCase()
    return isSame && block.height === height ? { block } : { error: absent(name, `block ${hash ?? height}`) }
  } catch (error) {
    if (isFirnError(error)) return { error: error as EvmError }
    throw error
  }
}
