import type { Static } from 'typebox'
import { AggregatorError } from '../errors/AggregatorError.ts'
import type { Parts } from '../json/Answer.ts'
import * as RequestBody from '../json/RequestBody.ts'
import * as Schema from '../Schema.ts'
import type { Limits } from '../signing/Signatures.ts'
import { assertCount, type BatchAnswer, signAll } from './Batch.ts'
import type { Share } from './FairSlots.ts'
import type { Tracker } from './JobProgress.ts'
import type { Signing } from './Signing.ts'
import type { Source } from './SourceChains.ts'

/** The fields of a request for one message that also apply to all messages of a transaction or block. */
const { message: _message, justification: _justification, ...shared } = RequestBody.Body.properties

/** A body that names a transaction or block instead of messages. */
export const SourceBody = Schema.object(
  'SourceRequest',
  'A transaction or block whose Warp messages are signed',
  {
    sourceChain: Schema.text(
      'Id of the source chain in hex or cb58; the operator configures its RPC with --chain-rpc',
      Schema.EXAMPLE.chainId,
    ),
    transactionHash: Schema.optional(
      Schema.text('Transaction whose Warp messages are signed', Schema.EXAMPLE.hash, {
        pattern: '^0x[0-9a-fA-F]{64}$',
        'x-expected': '64 hex digits with 0x',
      }),
    ),
    blockNumber: Schema.optional(
      Schema.integer('Block whose Warp messages are signed, instead of a transaction', 68_000_000, {
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
      }),
    ),
    ...shared,
  },
  { additionalProperties: false },
)

/** Returns whether a body names a source chain instead of messages. */
export function isSource(body: unknown): boolean {
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'sourceChain')
}

/** A checked {@link SourceBody}: the place of the messages, and the other fields for each of them. */
export interface SourceRequest {
  readonly source: Source
  readonly fields: Readonly<Record<string, unknown>>
  /** Id of the chain (32 bytes) that is to verify the messages. */
  readonly destinationChain: Uint8Array | undefined
  /** Milliseconds within which the caller needs a response. */
  readonly deadlineMs: number | undefined
}

/**
 * Checks a body that names a transaction or block.
 * @throws AggregatorError `AGGREGATOR_BODY`, `AGGREGATOR_FIELD`
 */
export function parseSource(body: unknown): SourceRequest {
  RequestBody.assertShape(SourceBody, body)
  const { sourceChain, transactionHash, blockNumber, ...fields } = body
  if ((transactionHash === undefined) === (blockNumber === undefined)) {
    const count = transactionHash === undefined ? 'neither' : 'both'
    throw new AggregatorError(
      'AGGREGATOR_FIELD',
      `transactionHash: expected either transactionHash or blockNumber, got ${count}`,
      { details: { field: 'transactionHash' } },
    )
  }
  // The other fields are checked now, and not only after the messages have been found.
  const { destinationChain, deadlineMs } = RequestBody.parse({ message: '0x00', ...fields })
  const at = blockNumber === undefined ? { transactionHash: transactionHash ?? '' } : { blockNumber }
  const chainId = RequestBody.parseId('sourceChain', 'blockchain', sourceChain)
  return { source: { chainId, at }, fields, destinationChain, deadlineMs }
}

/**
 * Finds the messages of a transaction or block, and has them all signed.
 * @throws AggregatorError `AGGREGATOR_CHAIN_NOT_CONFIGURED`, `AGGREGATOR_CHAIN_RPC`,
 * `AGGREGATOR_MESSAGE`, `AGGREGATOR_FIELD`, `AGGREGATOR_NOT_ACCEPTED`
 */
export async function signSource(
  { source, fields }: SourceRequest,
  parts: Parts,
  limits: Limits,
  { share, tracker }: { readonly share: Share; readonly tracker?: Tracker },
  signing: Signing,
  onFound: (messages: number) => void = () => {},
): Promise<Static<typeof BatchAnswer>> {
  const { clock, sourceChains } = signing
  const end = clock.now() + limits.deadlineMs
  const { deadlineMs, signal } = limits
  const found = await sourceChains.find(source, { deadlineMs, signal, share })
  assertCount(found.length, parts)
  onFound(found.length)
  const bodies = found.map(({ unsignedMessage }) => ({ message: unsignedMessage, ...fields }))
  const remaining = { ...limits, deadlineMs: end - clock.now() }
  const { results } = await signAll(bodies, parts, remaining, { share, ...(tracker && { tracker }) }, signing)
  return { results: results.map((result, index) => ({ ...found[index], ...result })) }
}
