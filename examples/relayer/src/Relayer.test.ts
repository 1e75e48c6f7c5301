import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { Bytes, Hex } from '@firn/codec'
import type { Devnet } from '@firn/devnet'
import { BitSet, SignedMessage, ValidatorSet } from '@firn/warp'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chainOf, createLocalDevnet, type LocalNetwork, startLocalNetwork } from './LocalNetwork.ts'
import { mailbox } from './Receiver.ts'
import { relay } from './Relayer.ts'
import { sendText } from './sendText.ts'

const account = mnemonicToAccount('test test test test test test test test test test test junk', {
  addressIndex: 1,
})
const folder = mkdtempSync(join(tmpdir(), 'relayer-'))
const stop = new AbortController()
let network: LocalNetwork

beforeAll(async () => {
  // The proposed height is the tip. Only P-chain blocks begin an epoch, so the epochs of the chains keep an older height.
  const devnet = await createLocalDevnet({ proposedLagMs: 0 })
  removeFirstValidator(devnet)
  network = await startLocalNetwork(devnet, stop.signal)
})
afterAll(async () => {
  stop.abort()
  await network?.close()
  rmSync(folder, { recursive: true })
})

/**
 * Removes the validator of the source chain with the lowest index. All others have another index afterwards, so a
 * message that is signed for the tip does not verify at an older height.
 */
function removeFirstValidator(devnet: Devnet): void {
  const { subnetId } = chainOf(devnet, 0)
  const members = [...devnet.state.l1Validators.values()].filter((one) =>
    Bytes.equals(one.subnetId, subnetId),
  )
  const [first] = ValidatorSet.create(members).validators
  const gone = members.find(({ nodeId }) => first?.nodeIds.some((id) => Bytes.equals(id, nodeId)))
  if (gone === undefined) throw new Error('the source chain has no validators')
  const { validationId, minNonce: nonce } = gone
  devnet.advance([{ kind: 'set-weight', validationId, nonce, weight: 0n }])
}

/** Runs a relayer until it has logged `count` events with the given name. Returns all events that it logged. */
async function relayUntil(name: string, count: number, cursor: string, aggregator = network.aggregator) {
  const events: { readonly event: string; readonly [field: string]: unknown }[] = []
  const enough = new AbortController()
  await relay({
    sourceRpc: network.source.rpcUrl,
    destinationRpc: network.destination.rpcUrl,
    ...{ receiver: mailbox(network.mailbox), aggregator, account, pollMs: 20, retryMs: 1 },
    cursorFile: join(folder, cursor),
    log: (event, fields) => {
      events.push({ ...fields, event })
      if (events.filter((one) => one.event === name).length === count) enough.abort()
    },
    signal: AbortSignal.any([enough.signal, stop.signal]),
  })
  return events
}

/** Starts an aggregator that gives the responses of `respond` until it returns undefined, then the responses of the network's aggregator. */
async function startAggregator(respond: (signed: Uint8Array) => readonly [number, object] | undefined) {
  const server: Server = createServer(async (request, response) => {
    const upstream = await fetch(`${network.aggregator}/aggregateSignatures`, {
      method: 'POST',
      body: JSON.stringify(await json(request)),
    })
    const body = (await upstream.json()) as { signedMessage: string }
    const [status, content] = respond(Hex.decodeAny(body.signedMessage)) ?? [upstream.status, body]
    response.writeHead(status, { 'retry-after': '0' }).end(JSON.stringify(content))
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close().closeAllConnections() }
}

const textsOf = (events: readonly { readonly event: string }[]) =>
  events.flatMap((one) => ('text' in one ? [one.text] : []))

test("delivers each message once, signed for the destination's epoch, and continues after a restart", async () => {
  for (const text of ['one', 'two']) await sendText(network, text)
  const first = await relayUntil('delivered', 2, 'cursor')
  expect([textsOf(first), first.length]).toEqual([['one', 'two'], 2])
  await sendText(network, 'three')
  const events = await relayUntil('delivered', 1, 'cursor')
  expect([textsOf(events), events.length]).toEqual([['three'], 1])
  const lost = await relayUntil('delivered already', 3, 'another-cursor')
  expect(new Set(lost.map(({ event }) => event))).toEqual(new Set(['delivered already']))
})

test('retries until a message has enough weight and its own signature', async () => {
  await sendText(network, 'four')
  const tooLight = (bytes: Uint8Array) => {
    const { unsigned, signature } = SignedMessage.decode(bytes)
    const [first = 0] = BitSet.decode(signature.signers)
    return SignedMessage.create(unsigned, [first], signature.signature)
  }
  const tampered = (bytes: Uint8Array) => {
    const { unsigned, signature } = SignedMessage.decode(bytes)
    const payload = Hex.decode(Hex.encode(unsigned.payload).replace('666f7572', '66616b65'))
    return { unsigned: { ...unsigned, payload }, signature }
  }
  const signed = (message: SignedMessage.SignedMessage) => ({
    signedMessage: Hex.encodeBare(SignedMessage.encode(message)),
  })
  const responses: ((bytes: Uint8Array) => readonly [number, object])[] = [
    () => [503, { message: 'overloaded' }],
    (bytes) => [200, signed(tooLight(bytes))],
    (bytes) => [200, signed(tampered(bytes))],
  ]
  const aggregator = await startAggregator((bytes) => responses.shift()?.(bytes))
  const events = await relayUntil('delivered', 1, 'cursor', aggregator.url)
  aggregator.close()
  expect(events.map(({ event, reason }) => [event, String(reason ?? '').replace(/0x\w+/, '…')])).toEqual([
    ['failed, will retry', 'not signed: overloaded'],
    ['failed, will retry', 'the delivery was reverted in transaction …'],
    ['failed, will retry', 'the delivery was reverted in transaction …'],
    ['delivered', ''],
  ])
  expect(textsOf(events)).toEqual(['four'])
})

test('gives up a message that the aggregator rejects, and delivers the next one', async () => {
  for (const text of ['five', 'six']) await sendText(network, text)
  const responses: (readonly [number, object])[] = [[400, { message: 'wrong' }]]
  const aggregator = await startAggregator(() => responses.shift())
  const events = await relayUntil('delivered', 1, 'cursor', aggregator.url)
  aggregator.close()
  expect(events.map(({ event }) => event)).toEqual(['given up', 'delivered'])
  expect(textsOf(events)).toEqual(['six'])
})
