import { Hex } from '@firn/codec'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeAll, failing, GO_PATH, message, missed, setUp } from './testing/app.ts'
import { createMessage } from './testing/fakes.ts'

afterAll(closeAll)

describe('route of the Go service', () => {
  it("answers in the Go service's format, and accepts both spellings of the height", async () => {
    const { post, asked, pChain } = await setUp()
    for (const body of [{ 'pchain-height': 90 }, { 'p-chain-height': 90 }]) {
      const response = await post(
        { message, 'quorum-percentage': 60, 'signing-subnet-id': '', extra: 1, ...body },
        { url: GO_PATH },
      )
      expect([response.status, response.body]).toEqual([200, { 'signed-message': 'abcd' }])
    }
    expect(asked.map(({ quorumPercentage }) => quorumPercentage)).toEqual([60, 60])
    expect(pChain.calls.filter((call) => call.startsWith('validatorsAt'))).toEqual(['validatorsAt 90'])
  })

  let service: Awaited<ReturnType<typeof setUp>>
  beforeAll(async () => {
    service = await setUp()
  })

  /** Request bodies with the recorded responses of the Go service. */
  it.each([
    [undefined, 400, 'Could not decode request body'],
    ['{', 400, 'Could not decode request body'],
    [{ message: 5 }, 400, 'Could not decode request body'],
    [{ message: '0xzz' }, 400, 'Could not decode message'],
    [{ message: '0x123' }, 400, 'Could not decode message'],
    [{ message: '0x0000' }, 400, 'Error unpacking warp message'],
    [{ message: `${message}00` }, 400, 'Error unpacking warp message'],
    [{ message, justification: '123' }, 400, 'Could not decode justification'],
    [{ message, 'quorum-percentage': 101 }, 400, 'Invalid quorum number'],
    [{ message, 'quorum-percentage': '67' }, 400, 'Could not decode request body'],
    [{ message, 'quorum-percentage': 67.5 }, 400, 'Could not decode request body'],
    [{ message, 'quorum-percentage-buffer': 40 }, 400, 'Invalid quorum buffer number'],
    [{ message, 'pchain-height': '5' }, 400, 'Could not decode request body'],
    [{ message, 'signing-subnet-id': 'xyz' }, 400, 'Error parsing signing subnet ID'],
    [
      { message: Hex.encode(createMessage(new Uint8Array(32).fill(0xab))) },
      500,
      'failed to aggregate signatures. error: source blockchain not found for chain ID 2Jc6VooH5wxteNEnVgqR8hNw3Pb58bphqk1myKZpXwrCfpVNZ2',
    ],
  ])("answers %j with %i and the Go service's text: %s", async (payload, status, error) => {
    const response = await service.post(payload, {
      url: GO_PATH,
      headers: { 'content-type': 'application/json' },
    })
    expect([response.status, response.body]).toEqual([status, { error, message: expect.any(String) }])
  })

  it('reports a missed quorum with the text of the Go service', async () => {
    const { post } = await setUp({ aggregate: failing(missed) })
    expect(await post({ message }, { url: GO_PATH })).toMatchObject({
      status: 500,
      body: {
        error: expect.stringMatching(
          /^failed to aggregate signatures. error: failed to collect a threshold of signatures: quorum not reached: weight 60/,
        ),
        message: expect.stringMatching(/^quorum not reached/),
      },
    })
  })
})
