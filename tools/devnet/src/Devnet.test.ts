import { PublicKey, Signature } from '@firn/bls'
import { Bytes } from '@firn/codec'
import { HandlerPrefix, type Network } from '@firn/p2p'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDevnet, type Devnet, type DevnetValidator, PlatformMessages } from './index.ts'
import { ask, connect, signatureOf } from './testing/client.ts'

let devnet: Devnet
let network: Network
beforeAll(async () => {
  devnet = await createDevnet({ l1s: [{ inactive: [1] }, { nodes: 'own', validators: 1 }] })
  network = await connect(devnet)
})
afterAll(async () => {
  await network.close()
  await devnet.close()
})

const at = (index: number): DevnetValidator => devnet.validators[index] as DevnetValidator
const isBy = (validator: DevnetValidator, message: Uint8Array, signature: Uint8Array): boolean =>
  Signature.verify(PublicKey.decode(validator.publicKey), message, Signature.decode(signature))

test('returns signatures of all five validators for an accepted message over TLS', async () => {
  const message = devnet.acceptMessage({ chain: 'C', payload: new TextEncoder().encode('hello') })
  for (const validator of devnet.validators.slice(0, 5)) {
    const answer = await ask(network, validator, { chainId: devnet.chains.c.id, message })
    expect(isBy(validator, message, signatureOf(answer))).toBe(true)
  }
})

test('returns an error from nodes that did not accept the message', async () => {
  const message = devnet.acceptMessage({ chain: 'C', payload: Uint8Array.of(2), nodes: [0] })
  const answers = await Promise.all(
    [0, 1].map((index) => ask(network, at(index), { chainId: devnet.chains.c.id, message })),
  )
  expect(answers.map(({ kind }) => kind)).toEqual(['response', 'error'])
  expect(answers[1]).toMatchObject({ code: 1 })
})

test("signs conversions on P-chain nodes with their justification, and L1 messages on the L1's nodes", async () => {
  const l1 = devnet.l1s[1]
  if (l1 === undefined) expect.fail('expected an L1')
  const { message, justification } = PlatformMessages.conversion(devnet.networkId, l1)
  const chainId = devnet.chains.p.id
  expect(
    isBy(at(5), message, signatureOf(await ask(network, at(5), { chainId, message, justification }))),
  ).toBe(true)
  expect(await ask(network, at(0), { chainId, message })).toMatchObject({ kind: 'error', code: 5 })
  const own = devnet.acceptMessage({ chain: l1.chain, payload: Uint8Array.of(1) })
  expect(
    isBy(at(5), own, signatureOf(await ask(network, at(5), { chainId: l1.chain.id, message: own }))),
  ).toBe(true)
})

test('ignores requests for a chain that the node does not run', async () => {
  const [shared] = devnet.l1s
  if (shared === undefined) expect.fail('expected an L1')
  for (const chain of [devnet.chains.c, shared.chain]) {
    const message = devnet.acceptMessage({ chain, payload: Uint8Array.of(3) })
    expect((await ask(network, at(0), { chainId: chain.id, message })).kind).toBe('response')
    const answer = await ask(network, at(5), { chainId: chain.id, message, deadlineMs: 200 })
    expect(answer.kind).toBe('timeout')
  }
})

test('drops requests with an even id on EVM chains but not on the P-chain', async () => {
  const { requests } = at(0).counters
  const appBytes = HandlerPrefix.encode(HandlerPrefix.SIGNATURE_REQUEST)
  for (const chainId of [devnet.chains.c.id, devnet.chains.p.id]) {
    network
      .peer(at(0).nodeId)
      ?.send({ case: 'appRequest', value: { chainId, requestId: 4, deadline: 10_000_000_000n, appBytes } })
  }
  await ask(network, at(0), { chainId: devnet.chains.p.id, message: new Uint8Array(0) })
  expect(at(0).counters.requests - requests).toBe(2)
})

test('gossips the addresses of all validators, including L1 validators, to a client that knows one validator', async () => {
  const stranger = await connect(devnet, devnet.validators.slice(0, 1))
  expect(stranger.peers()).toHaveLength(devnet.validators.length)
  await stranger.close()
})

describe('faults', () => {
  let message: Uint8Array
  beforeAll(() => {
    message = devnet.acceptMessage({ chain: 'C', payload: new TextEncoder().encode('faulty') })
  })
  const request = (index: number, deadlineMs = 600_000) =>
    ask(network, at(index), { chainId: devnet.chains.c.id, message, deadlineMs })
  const withFault = async (faults: unknown, act: () => Promise<void>) => {
    devnet.setFaults(faults)
    await act()
    devnet.clearFaults()
  }

  test('delays the response for the fault "slow"', () =>
    withFault({ 0: { kind: 'slow', ms: 120 } }, async () => {
      const start = performance.now()
      expect((await request(0)).kind).toBe('response')
      expect(performance.now() - start).toBeGreaterThan(100)
    }))

  test('never responds for the fault "silent"', () =>
    withFault({ 0: 'silent' }, async () => expect((await request(0, 150)).kind).toBe('timeout')))

  test('responds with the configured error for the fault "refuse"', () =>
    withFault({ 0: { kind: 'refuse', code: 11, message: 'no' } }, async () =>
      expect(await request(0)).toEqual({ kind: 'error', code: 11, message: 'no' }),
    ))

  test.each(['wrong-signature', 'other-message'])('returns an invalid signature for the fault "%s"', (kind) =>
    withFault({ 0: kind }, async () =>
      expect(isBy(at(0), message, signatureOf(await request(0)))).toBe(false),
    ),
  )

  test.each([
    ['short-signature', 95],
    ['long-signature', 97],
    ['infinity', 96],
    ['empty', 0],
  ])('returns a malformed signature for the fault "%s"', (kind, length) =>
    withFault({ 0: kind }, async () => {
      const signature = signatureOf(await request(0))
      expect(signature.length).toBe(length)
      if (kind === 'infinity') expect(signature[0]).toBe(0xc0)
    }),
  )

  test('returns two invalid signatures whose aggregate is valid for the fault "cancelling"', () =>
    withFault({ 1: { kind: 'cancelling', partner: 3 } }, async () => {
      const signatures = [signatureOf(await request(1)), signatureOf(await request(3))]
      expect(
        [1, 3].map((index, position) => isBy(at(index), message, signatures[position] as Uint8Array)),
      ).toEqual([false, false])
      const sum = Signature.aggregate(signatures.map((bytes) => Signature.decode(bytes)))
      const keys = PublicKey.aggregate([1, 3].map((index) => PublicKey.decode(at(index).publicKey)))
      expect(Signature.verify(keys, message, sum)).toBe(true)
    }))

  test('sends the response several times for the fault "repeat"', () =>
    withFault({ 0: { kind: 'repeat', times: 4 } }, async () => {
      const { repeatedAnswers } = network.counters
      expect((await request(0)).kind).toBe('response')
      await expect.poll(() => network.counters.repeatedAnswers - repeatedAnswers).toBe(3)
    }))

  test('sends a malformed frame and an invalid response for the fault "garbage"', () =>
    withFault({ 0: 'garbage' }, async () => {
      const { malformedMessages } = network.counters
      expect(await request(0)).toEqual({ kind: 'response', bytes: Uint8Array.of(0xff, 0xff, 0xff) })
      expect(network.counters.malformedMessages - malformedMessages).toBe(1)
    }))

  test('closes the connection for the fault "disconnect", and accepts a new one', () =>
    withFault({ 0: 'disconnect' }, async () => {
      expect((await request(0)).kind).toBe('disconnected')
      await network.connected(at(0).nodeId)
    }))

  test('returns a valid signature after the faults are cleared', async () => {
    expect(isBy(at(0), message, signatureOf(await request(0)))).toBe(true)
  })
})

test('creates the same network from the same seed', async () => {
  const options = { validators: 2, seed: 'twice', l1s: [{}] }
  const twins = await Promise.all([createDevnet(options), createDevnet(options)])
  const ids = twins.map((twin) =>
    twin.validators.map(({ nodeId, publicKey }) => Bytes.concat(nodeId, publicKey)),
  )
  expect(ids[0]).toEqual(ids[1])
  expect(twins[0]?.l1s[0]?.chain.id).toEqual(twins[1]?.l1s[0]?.chain.id)
  await Promise.all(twins.map((twin) => twin.close()))
})
