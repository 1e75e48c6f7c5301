import { Acp118 } from '@firn/warp'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { read } from './Reading.ts'
import type { Answer } from './Transport.ts'
import { answer, type Behaviour } from './testing/Behaviour.ts'
import { messageOf } from './testing/Simulation.ts'

const readBehaviour = (behaviour: Behaviour) => read(answer(behaviour, 0, messageOf(0), 0) as Answer, 'evm')

describe('read', () => {
  it('returns the bytes of a signature without checking them', () => {
    expect(readBehaviour({ kind: 'honest' }).kind).toBe('signature')
    expect(readBehaviour({ kind: 'wrong-signature' }).kind).toBe('signature')
    expect(readBehaviour({ kind: 'off-curve' }).kind).toBe('signature')
  })

  it.each(['short', 'long', 'garbage'] as const)(
    'counts a response with a signature of the kind "%s" as malformed',
    (kind) => {
      expect(readBehaviour({ kind })).toMatchObject({ kind: 'failure', malformed: true, lag: false })
      expect(readBehaviour({ kind })).toMatchObject({ failure: { outcome: 'bad-signature' } })
    },
  )

  it.each(['empty', 'no-bytes'] as const)(
    'treats a response of the kind "%s" as “message not seen yet”',
    (kind) => {
      const expected = { kind: 'failure', failure: { outcome: 'empty' }, lag: true, malformed: false }
      expect(readBehaviour({ kind })).toEqual(expected)
    },
  )

  it("keeps the code and text of an error response, and decides by the chain's kind whether to retry it", () => {
    const refusal: Answer = { kind: 'error', code: 1, message: 'unknown message' }
    const failure = { outcome: 'refused', code: 1, text: 'unknown message' }
    expect(read(refusal, 'evm')).toEqual({ kind: 'failure', failure, lag: true, malformed: false })
    expect(read(refusal, 'p-chain')).toEqual({ kind: 'failure', failure, lag: false, malformed: false })
  })

  it('shortens a peer’s error text to one short line', () => {
    const reading = read({ kind: 'error', code: 9, message: `a\nb\u0000${'x'.repeat(5_000)}` }, 'evm')
    expect(reading).toMatchObject({ failure: { text: expect.stringMatching(/^a b x{190,200}…$/u) } })
  })

  it('never throws, whatever bytes a peer sends', () => {
    const signatures = fc
      .uint8Array({ maxLength: 200 })
      .map((signature) => Acp118.encodeResponse({ signature }))
    fc.assert(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 300 }), signatures), (bytes) => {
        expect(read({ kind: 'response', bytes }, 'evm').kind).toMatch(/failure|signature/)
      }),
    )
  })
})
