import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { Hex } from '@firn/codec'
import { createDataApi, type DataApiService } from '@firn/data-api'
import { client } from '@firn/data-api/testing'
import { createDevnet, type Devnet, State } from '@firn/devnet'
import { Networks } from '@firn/genesis'
import { recordedStore } from '@firn/store/testing'
import { Quorum, SignedMessage, ValidatorSet, Verification } from '@firn/warp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

let devnet: Devnet
let aggregator: AggregatorService
let service: DataApiService

beforeAll(async () => {
  devnet = await createDevnet({ validators: 5 })
  aggregator = await createAggregatorService(
    createConfiguration({
      pChainApi: devnet.rpcUrl,
      apiPort: 0,
      logLevel: 'off',
      // The Data API has its own rate limit and needs no key, so the aggregator's rate limit and keys do not
      // apply to it.
      rateLimitPerMinute: 1,
      apiKeys: ['of the aggregator'],
      collectTimeout: 2_000,
    }),
  )
  service = await createDataApi({
    store: await recordedStore('local'),
    host: '127.0.0.1',
    port: 0,
    alias: 'fuji',
    limits: undefined,
    aggregatorUrl: aggregator.url,
    aggregatorFetch: aggregator.fetch,
    aggregateStatus: 'auto',
    timeoutMs: 600_000,
    version: '0',
  })
})

afterAll(async () => {
  await service?.close()
  await aggregator?.close()
  await devnet?.close()
})

describe('the official client’s aggregate method on the Data API', () => {
  test.each([1, 2, 3])('collects signatures for message %i', async (number) => {
    const message = devnet.acceptMessage({ chain: 'C', payload: Uint8Array.of(number) })
    const { signedMessage } = await client(service.url).data.signatureAggregator.aggregate({
      signatureAggregatorRequest: { message: Hex.encode(message), quorumPercentage: 80 },
    })
    const validatorSet = ValidatorSet.create(State.nodesOf(devnet.state, Networks.PRIMARY_NETWORK_ID))
    const signed = SignedMessage.decode(Hex.decodeBare(signedMessage))
    const quorum = Quorum.percent(80)
    const verified = Verification.verify(signed, { networkId: 12345, validatorSet, quorum })
    expect([verified, signed.unsigned.networkID]).toMatchObject([{ ok: true }, 12345])
  })

  test('fails with the aggregator’s status and reason', async () => {
    const aggregate = (signatureAggregatorRequest: object) =>
      client(service.url).data.signatureAggregator.aggregate({ signatureAggregatorRequest })
    await expect(aggregate({ message: 'nonsense' })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining('message'),
    })
    const message = devnet.acceptMessage({ chain: 'C', payload: Uint8Array.of(9), nodes: [0] })
    await expect(aggregate({ message: Hex.encode(message) })).rejects.toMatchObject({
      statusCode: 502,
      message: expect.stringMatching(/weight|quorum/),
    })
  })
})
