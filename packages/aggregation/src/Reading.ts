import { Signature } from '@firn/bls'
import { isFirnError } from '@firn/codec'
import { Acp118 } from '@firn/warp'
import type { Failure } from './Entry.ts'
import { type ChainKind, isLag } from './Retry.ts'
import type { Answer } from './Transport.ts'

/**
 * A classified response: the bytes of an unverified signature, or a failure and whether a retry may succeed.
 */
export type Reading =
  | { readonly kind: 'signature'; readonly signature: Uint8Array; readonly reportedBy?: string | undefined }
  | {
      readonly kind: 'failure'
      readonly failure: Failure
      readonly lag: boolean
      readonly malformed: boolean
    }

/** Maximum number of characters kept of a peer's error text. */
const TEXT_LENGTH = 200

/** Classifies a peer's response as a signature or a failure. Never throws, whatever bytes the peer sent. */
export function read(answer: Answer, chainKind: ChainKind): Reading {
  const reading = readAnswer(answer, chainKind)
  if (!('reportedBy' in answer)) return reading
  const { reportedBy } = answer
  if (reading.kind === 'signature') return { ...reading, reportedBy }
  return { ...reading, failure: { ...reading.failure, reportedBy } }
}

function readAnswer(answer: Answer, chainKind: ChainKind): Reading {
  switch (answer.kind) {
    case 'response':
      return readResponse(answer.bytes)
    case 'error':
      return failure(
        { outcome: 'refused', code: answer.code, text: clean(answer.message) },
        isLag(chainKind, answer.code),
      )
    case 'timeout':
      return failure({ outcome: 'timed-out' }, true)
    case 'unsent':
      return failure({ outcome: 'not-sent', text: clean(answer.reason) }, true)
    case 'disconnected':
      return failure({ outcome: 'disconnected', text: clean(answer.reason) })
  }
}

/** Classifies the bytes of a response. Never throws. */
export function readResponse(bytes: Uint8Array): Reading {
  try {
    const { signature } = Acp118.decodeResponse(bytes)
    // Older nodes send an empty signature when they have not seen the message.
    if (signature.length === 0) return failure({ outcome: 'empty' }, true)
    if (signature.length === Signature.SIZE) return { kind: 'signature', signature }
    return malformed(`not a valid BLS signature: expected ${Signature.SIZE} bytes, got ${signature.length}`)
  } catch (error) {
    if (!isFirnError(error)) throw error
    return malformed(clean(error.message))
  }
}

function malformed(text: string): Extract<Reading, { kind: 'failure' }> {
  return { ...failure({ outcome: 'bad-signature', text }), malformed: true }
}

function failure(failure: Failure, lag = false): Extract<Reading, { kind: 'failure' }> {
  return { kind: 'failure', failure, lag, malformed: false }
}

/** A peer's text appears in logs and API responses, so it is shortened to one line. */
function clean(text: string): string {
  const line = text
    .slice(0, TEXT_LENGTH)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
  return text.length > TEXT_LENGTH ? `${line}…` : line
}
