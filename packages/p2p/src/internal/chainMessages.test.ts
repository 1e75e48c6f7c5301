import { Hex } from '@firn/codec'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ChainAnswers, ChainReply, ChainRequestKind, ChainRequests } from '../ChainRequests.ts'
import * as Frame from '../Frame.ts'
import * as Message from '../Message.ts'
import { P2pError } from '../P2pError.ts'
import { readVectors } from '../testing/vectors.ts'
import { answerBody, createChainEncoder, isRequest, readRequest, requestKind } from './chainMessages.ts'
import { type AnswerBody, isAnswer } from './OutboundRequests.ts'

type Bytes = `0x${string}`

/** Any request of a kind; an answer to `accepted` is a subset of the ids in this one. */
const asked = (
  kind: ChainRequestKind,
  containerIds: readonly Uint8Array[] = [],
): ChainRequests[typeof kind] =>
  ({ ...frontier, containerIds, containerId: ID, engine: 'chain', requestedHeight: 1n }) as never
const ID = new Uint8Array(32).fill(8)
const frontier = { chainId: ID, deadlineMs: 1_000 }
const answerKinds: Partial<Record<Message.Case, ChainRequestKind>> = {
  acceptedFrontier: 'acceptedFrontier',
  accepted: 'accepted',
  ancestors: 'ancestors',
  chits: 'pullQuery',
}

/** Reads an answer to a request, or returns undefined if the message is of another kind. */
function readAnswer(
  kind: ChainRequestKind,
  request: ChainRequests[ChainRequestKind],
  body: AnswerBody,
): ChainReply<ChainRequestKind> | undefined {
  const { readers } = createChainEncoder(() => 1)(kind, request as never)
  return readers[body.case]?.(body.value as never)
}

/** Decodes a request as a server does and encodes it again as a client does. */
function requestAgain(body: Message.Body): Uint8Array {
  const kind = requestKind(body.case)
  if (kind === undefined || !isRequest(body)) throw new Error(body.case)
  const { chainId, requestId } = body.value
  const request = { chainId, deadlineMs: 7_000, ...readRequest(kind, body) } as never
  const { frame } = createChainEncoder(() => requestId)(kind, request)
  return frame.subarray(Frame.HEADER_LENGTH)
}

/** Decodes an answer as a client does and encodes it again as a server does. */
function answerAgain(body: Message.Body): Uint8Array {
  const kind = answerKinds[body.case]
  if (kind === undefined || !isAnswer(body)) throw new Error(body.case)
  const { chainId, requestId } = body.value
  const ids = body.case === 'accepted' ? body.value.containerIds : []
  const reply = readAnswer(kind, asked(kind, ids), body)
  if (reply?.kind !== 'answer') throw new Error(reply?.reason)
  return Message.encode(answerBody(kind, { chainId, requestId }, reply.answer))
}

describe('vectors of avalanchego', () => {
  const vectors = readVectors<{ bytes: Bytes }>('message')
  const named = (pattern: RegExp) => vectors.filter(({ name }) => pattern.test(name))
  test.each(named(/^(get_accepted_frontier|get_accepted|get_ancestors|pull_query)$/))(
    'reads and writes the request $name',
    ({ bytes }) => {
      const body = Message.decode(Hex.decode(bytes))
      // Deadlines are written in whole milliseconds, and the engine is always named.
      const engine = body.case === 'getAncestors' && { engineType: body.value.engineType === 1 ? 1 : 2 }
      const value = { ...body.value, deadline: 7_000_000_000n, ...engine }
      const expected = Message.encode({ case: body.case, value } as Message.BodyInit)
      expect(Hex.encode(requestAgain(body))).toBe(Hex.encode(expected))
    },
  )
  test.each(named(/^(accepted_frontier|accepted|ancestors|chits)$/))(
    'reads and writes the answer $name',
    ({ bytes }) => {
      expect(Hex.encode(answerAgain(Message.decode(Hex.decode(bytes))))).toBe(bytes)
    },
  )
  test('covers each message twice', () => {
    expect(named(/^(get_accepted_frontier|get_accepted|get_ancestors|pull_query)$/)).toHaveLength(8)
    expect(named(/^(accepted_frontier|accepted|ancestors|chits)$/)).toHaveLength(8)
  })
})

describe('any content', () => {
  const id = fc.uint8Array({ minLength: 32, maxLength: 32 })
  const ids = fc.uniqueArray(id, { maxLength: 20, selector: (bytes) => Hex.encode(bytes) })
  const height = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  const request = fc.oneof(
    fc.record({ kind: fc.constant('acceptedFrontier'), fields: fc.constant({}) }),
    fc.record({ kind: fc.constant('accepted'), fields: fc.record({ containerIds: ids }) }),
    fc.record({
      kind: fc.constant('ancestors'),
      fields: fc.record({ containerId: id, engine: fc.constantFrom('chain', 'dag') }),
    }),
    fc.record({
      kind: fc.constant('pullQuery'),
      fields: fc.record({ containerId: id, requestedHeight: height }),
    }),
  )
  const answer = fc.oneof(
    fc.record({ kind: fc.constant('acceptedFrontier'), fields: fc.record({ containerId: id }) }),
    fc.record({ kind: fc.constant('accepted'), fields: fc.record({ containerIds: ids }) }),
    fc.record({
      kind: fc.constant('ancestors'),
      fields: fc.record({ containers: fc.array(fc.uint8Array({ maxLength: 50 })) }),
    }),
    fc.record({
      kind: fc.constant('pullQuery'),
      fields: fc.record({
        preferredId: id,
        preferredIdAtHeight: id,
        acceptedId: id,
        acceptedHeight: height,
      }),
    }),
  )
  const requestId = fc.integer({ min: 0, max: 0xffff_ffff })

  test('reads a request as it was written', () => {
    fc.assert(
      fc.property(
        request,
        id,
        requestId,
        fc.integer({ min: 1, max: 10_000 }),
        (it, chainId, ownId, deadlineMs) => {
          const kind = it.kind as ChainRequestKind
          const written = { chainId, deadlineMs, ...it.fields } as never
          const outgoing = createChainEncoder(() => ownId)(kind, written)
          const body = Message.decode(outgoing.frame.subarray(Frame.HEADER_LENGTH))
          if (!isRequest(body)) throw new Error(body.case)
          expect(requestKind(body.case)).toBe(kind)
          expect(body.value).toMatchObject({
            chainId,
            requestId: ownId,
            deadline: BigInt(deadlineMs) * 1_000_000n,
          })
          expect(readRequest(kind, body)).toEqual(it.fields)
        },
      ),
    )
  })
  test('reads an answer as it was written, and only for its own kind of request', () => {
    fc.assert(
      fc.property(answer, id, requestId, (it, chainId, ownId) => {
        const kind = it.kind as ChainRequestKind
        const written = it.fields as ChainAnswers[typeof kind]
        const bytes = Message.encode(answerBody(kind, { chainId, requestId: ownId }, written))
        const body = Message.decode(bytes) as AnswerBody
        expect(body.value).toMatchObject({ chainId, requestId: ownId })
        for (const other of Object.values(answerKinds)) {
          const requested = 'containerIds' in it.fields ? it.fields.containerIds : []
          const reply = readAnswer(other, asked(other, requested), body)
          expect(reply).toEqual(other === kind ? { kind: 'answer', answer: written } : undefined)
        }
      }),
    )
  })
  test('reads changed bytes, rejects them as malformed, or finds no message', () => {
    const bodies = readVectors<{ bytes: Bytes }>('message')
      .map(({ bytes }) => Hex.decode(bytes))
      .filter((bytes) => isRequest(Message.decode(bytes)) || isAnswer(Message.decode(bytes)))
    const edit = fc.record({ at: fc.nat(), byte: fc.integer({ min: 0, max: 255 }) })
    const seen = new Set<string>()
    fc.assert(
      fc.property(
        fc.constantFrom(...bodies),
        fc.array(edit, { minLength: 1, maxLength: 4 }),
        (base, edits) => {
          const bytes = base.slice()
          for (const { at, byte } of edits) bytes[at % bytes.length] = byte
          seen.add(outcome(bytes))
        },
      ),
      { numRuns: 3_000 },
    )
    expect([...seen].sort()).toEqual(['answer', 'malformed', 'no message', 'other', 'request'])
  })
})

/** Reads arbitrary bytes on both sides. Any error that is not a P2pError fails the test. */
function outcome(bytes: Uint8Array): string {
  let body: Message.Body
  try {
    body = Message.decode(bytes)
  } catch (error) {
    if (error instanceof P2pError) return 'no message'
    throw error
  }
  if (isRequest(body)) {
    try {
      readRequest(requestKind(body.case) as ChainRequestKind, body)
      return 'request'
    } catch (error) {
      if (error instanceof P2pError && error.code === 'P2P_MESSAGE') return 'malformed'
      throw error
    }
  }
  const kind = answerKinds[body.case]
  if (kind === undefined || !isAnswer(body)) return 'other'
  return readAnswer(kind, asked(kind), body)?.kind ?? 'other'
}
