import { type AggregatorService, createAggregatorService, createConfiguration } from '@firn/aggregator'
import { type AggregatorClient, createAggregatorClient } from '@firn/client/aggregator'
import { Hex } from '@firn/codec'
import { createDevnet, type Devnet } from '@firn/devnet'
import { ProofBundle, Quorum, SignedMessage } from '@firn/warp'
import { afterAll, afterEach, beforeAll, describe, expect, expectTypeOf, it } from 'vitest'

const network = 'local'

let devnet: Devnet
let service: AggregatorService
let client: AggregatorClient
let messages = 0

beforeAll(async () => {
  devnet = await createDevnet({ validators: 5 })
  service = await createAggregatorService(
    createConfiguration({
      pChainApi: devnet.rpcUrl,
      apiPort: 0,
      logLevel: 'off',
      workers: 0,
      requestTimeout: 4_000,
    }),
  )
  client = createAggregatorClient({ url: service.url })
})
afterEach(() => devnet.clearFaults())
afterAll(async () => {
  await service.close()
  await devnet.close()
})

/** Returns a new message that all validators have accepted. */
const accept = (): string =>
  Hex.encode(devnet.acceptMessage({ chain: 'C', payload: new TextEncoder().encode(`message ${++messages}`) }))

const collect = (parameters: object = {}, options = {}) =>
  client.signatureAggregator.aggregateSignatures({ network, message: accept(), ...parameters }, options)

describe('createAggregatorClient, with a service', () => {
  it('returns a signed message with its report and a proof that suffices to verify it', async () => {
    const body = await collect({ report: true, proof: true })
    if (!('signedMessage' in body)) throw new Error('expected a signed message')
    const signed = SignedMessage.decode(Hex.decodeBare(body.signedMessage))
    if (body.proof === undefined) throw new Error('expected a proof')
    expectTypeOf(body.proof).toExtend<ProofBundle.BundleJson>()
    const bundle = ProofBundle.fromJSON(body.proof)
    expect(ProofBundle.verify(bundle, signed, Quorum.percent(67))).toMatchObject({ ok: true })
    expect(body.report?.validators).toHaveLength(5)
    const { signedMessage } = body
    const validity = await client.signatureAggregator.postValidity({ network, signedMessage })
    expect(validity).toEqual(await client.signatureAggregator.getValidity({ network, signedMessage }))
  })

  it('signs a batch, in which one message does not affect the others', async () => {
    const items = [{ message: accept() }, { message: '0x00' }]
    const body = await client.signatureAggregator.aggregateSignaturesBatch({ network, messages: items })
    if (!('results' in body)) throw new Error('expected results')
    expect(body.results.map((result) => 'signedMessage' in result)).toEqual([true, false])
  })

  it('follows a job from its progress to the signed message', async () => {
    const accepted = await collect({ prefer: 'respond-async' })
    if (!('jobId' in accepted)) throw new Error('expected a job')
    const { jobId } = accepted
    const events = []
    for await (const event of client.signatureAggregator.streamJobEvents({ jobId })) events.push(event)
    expect(events.map(({ event }) => event).slice(0, -1)).toContain('progress')
    const last = events.at(-1)
    expect(last?.event).toBe('done')
    expect(JSON.parse(last?.data ?? '')).toMatchObject({
      signedMessage: expect.stringMatching(/^[0-9a-f]+$/),
    })
    expect((await client.signatureAggregator.getJob({ jobId })).state).toBe('done')
  })

  it('reports quorum, readiness and health', async () => {
    const { subnets } = await client.signatureAggregator.listQuorums({ network })
    const [primary] = subnets
    if (primary === undefined) throw new Error('expected the Primary Network')
    const { subnetId } = primary
    expect(await client.signatureAggregator.getQuorum({ network, subnetId })).toMatchObject({ subnetId })
    expect(await client.operations.getReadiness({ subnetId })).toMatchObject({ status: 'ready' })
    expect(await client.operations.getHealth()).toMatchObject({ status: 'up' })
  })

  it('throws an error with the status, the code and the report of an error response', async () => {
    await expect(collect({ message: '0x00' })).rejects.toMatchObject({
      code: 'CLIENT_BAD_REQUEST',
      status: 400,
      message: expect.stringContaining('message'),
    })
    await expect(client.signatureAggregator.getJob({ jobId: 'none' })).rejects.toMatchObject({
      code: 'CLIENT_NOT_FOUND',
    })
    devnet.setFaults({ refuse: 1 })
    await expect(collect({ report: true })).rejects.toMatchObject({
      body: {
        report: { validators: expect.arrayContaining([expect.objectContaining({ outcome: 'refused' })]) },
      },
    })
  })

  it('ends a request when its signal is aborted', async () => {
    devnet.setFaults({ silent: 1 })
    const stop = new AbortController()
    const collecting = collect({}, { signal: stop.signal })
    stop.abort(new Error('given up'))
    await expect(collecting).rejects.toThrow('given up')
  })
})
