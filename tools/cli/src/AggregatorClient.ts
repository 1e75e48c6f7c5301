import { Bytes, Hex, Json, Network } from '@firn/codec'
import { UnsignedMessage, WarpEvent } from '@firn/warp'
import { CliError } from './CliError.ts'
import * as JobEvents from './JobEvents.ts'

/** A transaction or block of a source chain, whose id is in hex or cb58. */
export type Source = {
  readonly chain: string
  readonly transaction?: string | undefined
  readonly block?: bigint | undefined
}

/** A request to an aggregator. All values are strings in the format of the HTTP interface. */
export type Request = {
  readonly url: string
  /** The unsigned message, or the event data that contains it, in hex. */
  readonly message?: string | undefined
  /** A transaction or block of a source chain, whose messages are signed instead. */
  readonly source?: Source | undefined
  readonly justification?: string | undefined
  readonly network?: string | undefined
  readonly quorum?: number | undefined
  readonly buffer?: number | undefined
  readonly height?: bigint | undefined
  readonly subnet?: string | undefined
  /** Milliseconds to wait for validators that do not know the message yet; by default, the aggregator decides. */
  readonly wait?: number | undefined
  readonly apiKey?: string | undefined
  readonly signal?: AbortSignal
  /** If present, the request becomes a job, and its progress is reported. */
  readonly onProgress?: (progress: JobEvents.JobProgress) => void
}

/** Outcome of an aggregation for one validator. */
export type Entry = {
  readonly index: number
  readonly nodeIds: readonly string[]
  readonly weight: string
  readonly outcome: string
  readonly inSignedMessage: boolean
  readonly fromCache?: boolean
  readonly code?: number
  readonly text?: string
  readonly lately?: { readonly outcome: string; readonly text?: string }
  readonly latencyMs?: number
}

/** Outcome of an aggregation, for every validator and in total. */
export type Report = {
  readonly signingSubnetId: string
  readonly pChainHeight: string
  readonly signedWeight: string
  readonly neededWeight: string
  readonly totalWeight: string
  readonly elapsedMs: number
  readonly validators: readonly Entry[]
}

/** A signed message as received, with its report and the proof bundle. */
export type Answer = {
  readonly signedMessage: string
  readonly report?: Report
  readonly proof?: Json.Json
  /** The whole response body as text, so that it can be saved to a file. */
  readonly text: string
}

/**
 * Returns the message from event data or bytes. Event data starts with the word 32; an unsigned message never
 * does, because it starts with a codec version and a network id.
 */
const decodeMessage = (bytes: Uint8Array): UnsignedMessage.UnsignedMessage => {
  const isEventData = bytes.length >= 64 && bytes[31] === 32 && Bytes.isZero(bytes.subarray(0, 31))
  return UnsignedMessage.decode(isEventData ? WarpEvent.decodeData(bytes) : bytes)
}

/** Returns the network name for the URL: the given name, or the network id of the message. */
const getNetwork = ({ network, message }: Request): string => {
  if (network !== undefined) return network
  if (message === undefined)
    throw new CliError('CLI_INPUT', 'Cannot determine the network without a message. Pass --network.')
  try {
    return Network.formatName(decodeMessage(Hex.decodeAny(message)).networkID)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(
      'CLI_INPUT',
      `expected an unsigned Warp message or the data of a SendWarpMessage event: ${reason}`,
      { cause },
    )
  }
}

const encodeSource = ({ chain, transaction, block }: Source) => ({
  sourceChain: chain,
  ...(transaction === undefined ? {} : { transactionHash: transaction }),
  ...(block === undefined ? {} : { blockNumber: block }),
})

const encodeBody = ({
  message,
  source,
  justification,
  quorum,
  buffer,
  height,
  subnet,
  wait,
}: Request): string =>
  Json.stringify({
    ...(message === undefined ? {} : { message }),
    ...(source === undefined ? {} : encodeSource(source)),
    ...(justification === undefined ? {} : { justification }),
    ...(subnet === undefined ? {} : { signingSubnetId: subnet }),
    ...(quorum === undefined ? {} : { quorumPercentage: quorum }),
    ...(buffer === undefined ? {} : { quorumPercentageBuffer: buffer }),
    ...(height === undefined ? {} : { pChainHeight: height }),
    ...(wait === undefined ? {} : { waitMs: wait }),
  })

/** Returns the URL to which a request is sent. */
export const formatUrl = (request: Request): string =>
  `${request.url.replace(/\/+$/, '')}/v1/signatureAggregator/${getNetwork(request)}/aggregateSignatures`

/** The query of a request for all details. */
const DETAILS = '?report=true&proof=true'

type Outcome = { readonly isDone: boolean; readonly status: number; readonly text: string }

/**
 * Returns the outcome of a job. Aggregators without jobs ignore the preference and respond with the result
 * itself.
 */
const outcomeOf = async (response: Response, { url, signal, onProgress }: Request, headers: Headers) => {
  const { status } = response
  const location = response.headers.get('location')
  if (status !== 202 || location === null || onProgress === undefined)
    return { isDone: status < 300, status, text: await response.text() }
  const job = { url: url.replace(/\/+$/, '') + location, headers, signal, onProgress }
  return { status, ...(await JobEvents.follow(job)) }
}

type Headers = Readonly<Record<string, string>>

const send = async (request: Request, query: string): Promise<Outcome> => {
  const url = `${formatUrl(request)}${query}`
  const key = request.apiKey === undefined ? {} : { 'x-data-api-key': request.apiKey }
  const preference = request.onProgress === undefined ? {} : { prefer: 'respond-async' }
  try {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...preference, ...key } as Headers,
      body: encodeBody(request),
      ...(request.signal ? { signal: request.signal } : {}),
    }
    return await outcomeOf(await fetch(url, init), request, key)
  } catch (cause) {
    if (cause instanceof CliError) throw cause
    throw new CliError(
      'CLI_AGGREGATOR',
      `No aggregator responds at ${request.url}. Start one (npm start), or pass --aggregator <url>.`,
      { cause },
    )
  }
}

type Body = { readonly [name: string]: unknown }

const parse = (text: string): Body | undefined => {
  try {
    const body = Json.parse(text)
    return typeof body === 'object' && body !== null ? (body as Body) : undefined
  } catch {
    return undefined
  }
}

/**
 * Sends a request to an aggregator and returns its response with report and proof.
 * @throws CliError `CLI_INPUT`, `CLI_AGGREGATOR` (with the aggregator's message; `details.report` if it
 * returned one)
 */
export const aggregate = async (request: Request): Promise<Answer> => {
  const { isDone, status, text } = await send(request, DETAILS)
  const body = parse(text)
  const signedMessage = body?.['signedMessage']
  if (isDone && typeof signedMessage === 'string') return { ...(body as Answer), text }
  throw rejection(status, body)
}

const rejection = (status: number, body: Body | undefined): CliError => {
  const reason = typeof body?.['message'] === 'string' ? body['message'] : `status ${status} without a reason`
  const report = body?.['report']
  return new CliError(
    'CLI_AGGREGATOR',
    `the aggregator rejected the request: ${reason}`,
    report === undefined ? {} : { details: { report } },
  )
}

/** The result for one message of a transaction or block: a signed message, or the reason why there is none. */
export type Result = {
  readonly messageId?: string
  readonly signedMessage?: string
  readonly message?: string
}

/**
 * Has all messages of the request's `source` signed, and returns the results and the whole response as text. With
 * `isDetailed`, the response contains reports and proof bundles.
 * @throws CliError `CLI_INPUT`, `CLI_AGGREGATOR`
 */
export const aggregateAll = async (
  request: Request,
  isDetailed: boolean,
): Promise<{ readonly results: readonly Result[]; readonly text: string }> => {
  const { isDone, status, text } = await send(request, isDetailed ? DETAILS : '')
  const body = parse(text)
  const results = body?.['results']
  if (isDone && Array.isArray(results)) return { results: results as readonly Result[], text }
  throw rejection(status, body)
}

const reasonOf = ({ outcome, fromCache, code, text, lately, latencyMs, inSignedMessage }: Entry): string => {
  const parts = [
    outcome,
    inSignedMessage ? 'in the message' : '',
    fromCache ? 'cached' : '',
    code === undefined ? '' : `code ${code}`,
    text ? JSON.stringify(text) : '',
    lately === undefined ? '' : `recently ${lately.outcome}`,
    latencyMs === undefined ? '' : `${latencyMs} ms`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/**
 * Formats a report with one line per validator, failures first. Reports on large validator sets are
 * truncated.
 */
export const formatReport = (report: Report, most = 20): readonly string[] => {
  const shown = report.validators.slice(0, most)
  const rest = report.validators.length - shown.length
  return [
    `weight ${report.signedWeight} of ${report.totalWeight} signed, ${report.neededWeight} needed, at P-chain height ${report.pChainHeight}`,
    ...shown.map(
      (entry) =>
        `  #${String(entry.index).padEnd(4)} ${entry.nodeIds.join(', ')}  weight ${entry.weight}  ${reasonOf(entry)}`,
    ),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ]
}
