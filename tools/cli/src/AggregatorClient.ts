import { Bytes, Hex, Json, Network } from '@firn/codec'
import { UnsignedMessage, WarpEvent } from '@firn/warp'
import { CliError } from './CliError.ts'

/** A request to an aggregator; texts as its HTTP interface takes them. */
export type Request = {
  readonly url: string
  /** Unsigned message, or the data of its event: hex. */
  readonly message?: string | undefined
  readonly justification?: string | undefined
  readonly network?: string | undefined
  readonly quorum?: number | undefined
  readonly buffer?: number | undefined
  readonly height?: bigint | undefined
  readonly subnet?: string | undefined
  readonly apiKey?: string | undefined
  readonly signal?: AbortSignal
}

/** What became of one validator. */
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

/** What became of every validator, and of the whole. */
export type Report = {
  readonly signingSubnetId: string
  readonly pChainHeight: string
  readonly signedWeight: string
  readonly neededWeight: string
  readonly totalWeight: string
  readonly elapsedMs: number
  readonly validators: readonly Entry[]
}

/** A signed message with its report and the proof bundle, as received. */
export type Answer = {
  readonly signedMessage: string
  readonly report?: Report
  readonly proof?: Json.Json
  /** The whole body, to be kept in a file. */
  readonly text: string
}

const NAMES: ReadonlyMap<number, string> = new Map([
  [Network.MAINNET, 'mainnet'],
  [Network.FUJI, 'fuji'],
])

/** Event data begins with the word 32, which no unsigned message does: its first bytes are a codec version and a network id. */
const decodeMessage = (bytes: Uint8Array): UnsignedMessage.UnsignedMessage => {
  const isEventData = bytes.length >= 64 && bytes[31] === 32 && Bytes.isZero(bytes.subarray(0, 31))
  return UnsignedMessage.decode(isEventData ? WarpEvent.decodeData(bytes) : bytes)
}

/** Returns the network's name in the path: the one given, else the one that the message names. */
const getNetwork = ({ network, message }: Request): string => {
  if (network !== undefined) return network
  if (message === undefined)
    throw new CliError('CLI_INPUT', 'A request without a message names no network. Pass --network.')
  try {
    return NAMES.get(decodeMessage(Hex.decodeAny(message)).networkID) ?? 'local'
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(
      'CLI_INPUT',
      `Not an unsigned Warp message, nor the data of a SendWarpMessage event: ${reason}`,
      { cause },
    )
  }
}

const encodeBody = ({ message, justification, quorum, buffer, height, subnet }: Request): string =>
  Json.stringify({
    ...(message === undefined ? {} : { message }),
    ...(justification === undefined ? {} : { justification }),
    ...(subnet === undefined ? {} : { signingSubnetId: subnet }),
    ...(quorum === undefined ? {} : { quorumPercentage: quorum }),
    ...(buffer === undefined ? {} : { quorumPercentageBuffer: buffer }),
    ...(height === undefined ? {} : { pChainHeight: height }),
  })

/** Returns the URL that a request is sent to. */
export const formatUrl = (request: Request): string =>
  `${request.url.replace(/\/+$/, '')}/v1/signatureAggregator/${getNetwork(request)}/aggregateSignatures`

const send = async (request: Request): Promise<{ readonly status: number; readonly text: string }> => {
  const url = `${formatUrl(request)}?report=true&proof=true`
  const headers = {
    'content-type': 'application/json',
    ...(request.apiKey === undefined ? {} : { 'x-data-api-key': request.apiKey }),
  }
  try {
    const init = {
      method: 'POST',
      headers,
      body: encodeBody(request),
      ...(request.signal ? { signal: request.signal } : {}),
    }
    const response = await fetch(url, init)
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    throw new CliError(
      'CLI_AGGREGATOR',
      `No aggregator answers at ${request.url}. Start one (npm start), or pass --aggregator <url>.`,
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
 * Returns an aggregator's answer to one request, with report and proof.
 * @throws CliError `CLI_INPUT`, `CLI_AGGREGATOR` (with the aggregator's message; `details.report` where it gave one)
 */
export const aggregate = async (request: Request): Promise<Answer> => {
  const { status, text } = await send(request)
  const body = parse(text)
  const signedMessage = body?.['signedMessage']
  if (status < 300 && typeof signedMessage === 'string') return { ...(body as unknown as Answer), text }
  const said = typeof body?.['message'] === 'string' ? body['message'] : `status ${status} and no reason`
  const report = body?.['report']
  throw new CliError(
    'CLI_AGGREGATOR',
    `the aggregator refused: ${said}`,
    report === undefined ? {} : { details: { report } },
  )
}

const reasonOf = ({ outcome, fromCache, code, text, lately, latencyMs, inSignedMessage }: Entry): string => {
  const parts = [
    outcome,
    inSignedMessage ? 'in the message' : '',
    fromCache ? 'cached' : '',
    code === undefined ? '' : `code ${code}`,
    text ? JSON.stringify(text) : '',
    lately === undefined ? '' : `lately ${lately.outcome}`,
    latencyMs === undefined ? '' : `${latencyMs} ms`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

/** The lines of a report: one per validator, most interesting facts first; long sets are cut. */
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
