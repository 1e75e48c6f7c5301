import { createHash, type Hash } from 'node:crypto'
import { UsageLoads, type UsageStore, UsageSums } from '@firn/service-store'
import { GatewayError, isGatewayError } from '../GatewayError.ts'
import type { Costs } from '../methods/MethodCosts.ts'
import { type LogFormat, parseLogLine } from './AccessLog.ts'

/** A log line that could not be counted. */
export interface BadLine {
  /** Line number; the first line is 1. */
  readonly line: number
  readonly reason: string
}

/** Result of loading a log. */
export interface LoadedLog {
  /** Number of requests counted by this load. */
  readonly requests: number
  /** Number of lines that an earlier load already counted. */
  readonly skippedLines: number
  readonly badLines: number
  /** The first invalid lines, at most 20. */
  readonly bad: readonly BadLine[]
}

/** Options of {@link loadAccessLog}. */
export interface LoadOptions {
  readonly usage: UsageStore
  /**
   * Returns the log's bytes from the beginning. Called at most twice: to find the lines that earlier loads counted,
   * and to count the others.
   */
  readonly open: () => AsyncIterable<Uint8Array>
  readonly format: LogFormat
  readonly costs: Costs
  readonly signal: AbortSignal
  /** Number of lines per database transaction; by default 10,000. */
  readonly batchLines?: number
}

const BATCH_LINES = 10_000
/** Maximum number of invalid lines in the result. */
const MOST_TOLD = 20
/** Maximum length of a line in characters. Longer lines cannot belong to an access log. */
const LONGEST_LINE = 65_536
const NEWLINE = 0x0a

/**
 * Counts the requests in a log of JSON lines. Each line is counted once: a hash of the log's beginning identifies the
 * lines that an earlier load counted, and this load skips them. A last line without a line break may be incomplete,
 * so it is left for a later load.
 * @throws StoreError; GatewayError `GATEWAY_LOG` if a line exceeds 1 MiB; the abort reason of the signal
 */
export async function loadAccessLog(options: LoadOptions): Promise<LoadedLog> {
  const { usage, open, format, costs, signal, batchLines = BATCH_LINES } = options
  const skippedLines = await countedLines(usage, open, signal)
  const bad: BadLine[] = []
  const hash = createHash('sha256')
  let [badLines, requests, line, sums, waiting] = [0, 0, 0, new UsageSums(), 0]
  const write = async () => {
    if (waiting === 0) return
    const end = { lines: BigInt(line), digest: digestOf(hash) }
    if (await UsageLoads.count(usage, sums, end)) requests += sums.requests
    sums = new UsageSums()
    waiting = 0
  }
  for await (const bytes of linesOf(open(), signal)) {
    hash.update(bytes)
    line++
    if (line <= skippedLines) continue
    try {
      const text = bytes.toString().trim()
      if (text !== '') sums.add(parse(text, format, costs))
    } catch (error) {
      if (!isGatewayError(error)) throw error
      badLines++
      if (bad.length < MOST_TOLD) bad.push({ line, reason: error.message })
    }
    waiting++
    if (waiting >= batchLines) await write()
  }
  await write()
  return { requests, skippedLines, badLines, bad }
}

function parse(text: string, format: LogFormat, costs: Costs) {
  if (text.length <= LONGEST_LINE) return parseLogLine(text, format, costs)
  throw new GatewayError('GATEWAY_LOG', `expected a line of at most ${LONGEST_LINE} characters`)
}

/** Returns the number of lines at the beginning of a log that earlier loads counted. */
async function countedLines(
  usage: UsageStore,
  open: LoadOptions['open'],
  signal: AbortSignal,
): Promise<number> {
  const beginnings = await UsageLoads.beginnings(usage)
  const known = Map.groupBy(beginnings, ({ lines }) => Number(lines))
  const last = beginnings.at(-1)
  if (last === undefined) return 0
  const hash = createHash('sha256')
  let [line, counted] = [0, 0]
  for await (const bytes of linesOf(open(), signal)) {
    hash.update(bytes)
    line++
    const some = known.get(line)
    if (some === undefined) continue
    const mine = digestOf(hash)
    if (some.some(({ digest }) => mine.equals(digest))) counted = line
    if (BigInt(line) >= last.lines) break
  }
  return counted
}

function digestOf(hash: Hash): Buffer {
  return hash.copy().digest()
}

/** Yields the lines of a stream including their line breaks. A last line without a line break is skipped. */
async function* linesOf(parts: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const part of parts) {
    signal.throwIfAborted()
    let bytes = rest.length === 0 ? Buffer.from(part) : Buffer.concat([rest, part])
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE)) {
      yield bytes.subarray(0, end + 1)
      bytes = bytes.subarray(end + 1)
    }
    rest = bytes
    if (rest.length > 16 * LONGEST_LINE) {
      throw new GatewayError('GATEWAY_LOG', `expected every line to have at most ${LONGEST_LINE} characters`)
    }
  }
}
