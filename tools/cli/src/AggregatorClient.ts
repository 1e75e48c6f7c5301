import { Hex, Json, Network } from '@firn/codec'
import { UnsignedMessage } from '@firn/warp'
import { CliError } from './CliError.ts'

/** What may be asked of an aggregator; texts as its HTTP interface takes them. */
export type Wish = {
  readonly url: string
  /** Unsigned message, or the data of its event: hex. */
  readonly message?: string
  readonly justification?: string
  readonly network?: string
  readonly quorum?: number
  readonly buffer?: number
  readonly height?: bigint
  readonly subnet?: string
  readonly apiKey?: string
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

/** The name in the path: the network that the message itself names. */
const networkOf = ({ network, message }: Wish): string => {
  if (network !== undefined) return network
  if (message === undefined) throw new CliError('CLI_INPUT', 'expected --network when there is no message')
  try {
    return NAMES.get(UnsignedMessage.decode(Hex.decodeAny(message)).networkID) ?? 'local'
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new CliError(
      'CLI_INPUT',
      `expected an unsigned Warp message, or --network for event data: ${reason}`,
      { cause },
    )
  }
}

const bodyOf = ({ message, justification, quorum, buffer, height, subnet }: Wish): string =>
  Json.stringify({
    ...(message === undefined ? {} : { message }),
    ...(justification === undefined ? {} : { justification }),
    ...(subnet === undefined ? {} : { signingSubnetId: subnet }),
    ...(quorum === undefined ? {} : { quorumPercentage: quorum }),
    ...(buffer === undefined ? {} : { quorumPercentageBuffer: buffer }),
    ...(height === undefined ? {} : { pChainHeight: height }),
  })

/** The URL that a wish is sent to. */
export const urlOf = (wish: Wish): string =>
  `${wish.url.replace(/\/+$/, '')}/v1/signatureAggregator/${networkOf(wish)}/aggregateSignatures`

const send = async (wish: Wish): Promise<{ readonly status: number; readonly text: string }> => {
  const url = `${urlOf(wish)}?report=true&proof=true`
  const headers = {
    'content-type': 'application/json',
    ...(wish.apiKey === undefined ? {} : { 'x-data-api-key': wish.apiKey }),
  }
  try {
    const init = {
      method: 'POST',
      headers,
      body: bodyOf(wish),
      ...(wish.signal ? { signal: wish.signal } : {}),
    }
    const response = await fetch(url, init)
    return { status: response.status, text: await response.text() }
  } catch (cause) {
    throw new CliError('CLI_AGGREGATOR', `expected an aggregator at ${wish.url}, which cannot be reached`, {
      cause,
    })
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
 * The answer of an aggregator to one request, with report and proof.
 * @throws CliError `CLI_INPUT`, `CLI_AGGREGATOR` (its sentence; `details.report` where it gave one)
 */
export const aggregate = async (wish: Wish): Promise<Answer> => {
  const { status, text } = await send(wish)
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
