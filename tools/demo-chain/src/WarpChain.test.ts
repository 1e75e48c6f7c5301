import { Bytes, Hex } from '@firn/codec'
import { Payload, Predicate, SignedMessage, UnsignedMessage, WarpEvent } from '@firn/warp'
import {
  createPublicClient,
  createWalletClient,
  defineChain,
  type Hex as HexText,
  http,
  parseAbi,
} from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deployMailbox } from './Mailbox.ts'
import { C_CHAIN, type FakeNode, startNode } from './testing/node.ts'
import { startWarpChain, type WarpChain } from './WarpChain.ts'

const ABI = parseAbi([
  'function send(bytes32 destinationChainID, string text)',
  'function receiveText(uint32 index)',
  'function received(bytes32 sourceChainID, uint256 number) view returns (bool)',
  'function getBlockchainID() view returns (bytes32)',
  'function getVerifiedWarpMessage(uint32 index) view returns ((bytes32, address, bytes) message, bool valid)',
])
const WARP = Hex.encode(WarpEvent.ADDRESS)
/** The chain sends messages to itself, so that one chain is enough. */
const BLOCKCHAIN = new Uint8Array(32).fill(9)
const NETWORK = 12_345
const EVM = defineChain({
  id: 4_244,
  name: 'local',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
})

let node: FakeNode
let chain: WarpChain
let mailbox: HexText
const accepted: Uint8Array[] = []

beforeAll(async () => {
  node = await startNode(BLOCKCHAIN)
  chain = await startWarpChain({
    chainId: EVM.id,
    networkId: NETWORK,
    blockchainId: BLOCKCHAIN,
    nodeUrl: node.url,
    onMessage: (message) => accepted.push(message),
    signal: new AbortController().signal,
  })
  mailbox = await deployMailbox(chain.rpcUrl)
})
afterAll(async () => {
  await chain?.close()
  node?.close()
})

function client() {
  const account = mnemonicToAccount('test test test test test test test test test test test junk')
  const transport = http(chain.rpcUrl)
  const wallet = createWalletClient({ account, transport, chain: EVM })
  return { wallet, reader: createPublicClient({ transport, pollingInterval: 20 }) }
}

/** Sends a text to the chain itself, and returns the log and the message. */
async function send(text: string) {
  const { wallet, reader } = client()
  const args = [Hex.encode(BLOCKCHAIN), text] as const
  const hash = await wallet.writeContract({ address: mailbox, abi: ABI, functionName: 'send', args })
  const [log] = (await reader.waitForTransactionReceipt({ hash })).logs
  const { address, topics, data } = log as NonNullable<typeof log>
  const event = { address: Hex.decode(address), topics: topics.map(Hex.decode), data: Hex.decode(data) }
  return { event, message: WarpEvent.decode(event).message }
}

/** Delivers signed messages in one transaction. Returns the status of the transaction. */
async function deliver(...words: readonly (readonly Uint8Array[])[]) {
  const { wallet, reader } = client()
  const accessList = words.map((keys) => ({ address: WARP, storageKeys: keys.map(Hex.encode) }))
  const hash = await wallet.writeContract({
    ...{ address: mailbox, abi: ABI, functionName: 'receiveText', args: [words.length - 1] },
    ...{ accessList, gas: 2_000_000n },
  })
  return (await reader.waitForTransactionReceipt({ hash })).status
}

const predicate = (message: SignedMessage.SignedMessage) => Predicate.encode(SignedMessage.encode(message))
const received = (number: bigint) =>
  client().reader.readContract({
    ...{ address: mailbox, abi: ABI, functionName: 'received', args: [Hex.encode(BLOCKCHAIN), number] },
  })

test('emits the log of the Warp precompile, and reports the accepted message', async () => {
  const { event, message } = await send('first')
  expect(WarpEvent.encode(Hex.decode(mailbox), message)).toEqual(event)
  expect([message.networkID, message.sourceChainID]).toEqual([NETWORK, BLOCKCHAIN])
  expect(Payload.decodeAs(message.payload, 'AddressedCall').sourceAddress).toEqual(Hex.decode(mailbox))
  expect(accepted.at(-1)).toEqual(UnsignedMessage.encode(message))
  const id = await client().reader.readContract({ address: WARP, abi: ABI, functionName: 'getBlockchainID' })
  expect(id).toBe(Hex.encode(BLOCKCHAIN))
})

test('delivers a message that enough validators signed, once', async () => {
  const { message } = await send('delivered')
  const words = predicate(node.sign(message, [0, 1, 3]))
  expect([await received(2n), await deliver(words), await received(2n)]).toEqual([false, 'success', true])
  expect(await deliver(words)).toBe('reverted')
})

test('returns the message of each predicate by its index', async () => {
  const messages = [(await send('one')).message, (await send('two')).message]
  const tooLight = predicate(node.sign(messages[0] as UnsignedMessage.UnsignedMessage, [0]))
  const enough = predicate(node.sign(messages[1] as UnsignedMessage.UnsignedMessage, [0, 1, 2]))
  expect(await deliver(tooLight, enough)).toBe('success')
  expect([await received(3n), await received(4n)]).toEqual([false, true])
})

test('verifies messages of the Primary Network with the validators of its own subnet', async () => {
  const { message } = await send('from the C-chain')
  const signed = node.sign({ ...message, sourceChainID: C_CHAIN }, [0, 1, 2])
  expect(await deliver(predicate(signed))).toBe('success')
})

describe('a message that is not delivered', () => {
  const forged = (bytes: Uint8Array, from: string, to: string) => {
    const text = Hex.encode(bytes)
    return SignedMessage.decode(Hex.decode(text.replace(encoded(from), encoded(to)) as HexText))
  }
  const encoded = (text: string) => Hex.encodeBare(new TextEncoder().encode(text))

  test.each<[string, (message: UnsignedMessage.UnsignedMessage) => SignedMessage.SignedMessage]>([
    ['too little weight', (message) => node.sign(message, [0, 2])],
    [
      'a changed text',
      (message) => forged(SignedMessage.encode(node.sign(message, [0, 1, 2])), 'genuine', 'changed'),
    ],
    ['another network', (message) => node.sign({ ...message, networkID: 1 }, [0, 1, 2])],
    [
      'an unknown source chain',
      (message) => node.sign({ ...message, sourceChainID: new Uint8Array(32).fill(8) }, [0, 1, 2]),
    ],
    [
      'a payload that is a hash',
      (message) =>
        node.sign(
          { ...message, payload: Payload.encode({ type: 'Hash', hash: new Uint8Array(32) }) },
          [0, 1, 2],
        ),
    ],
  ])('has %s', async (_what, sign) => {
    const { message } = await send('genuine')
    expect(await deliver(predicate(sign(message)))).toBe('reverted')
  })

  test('has no predicate, although an earlier transaction had one', async () => {
    const { message } = await send('genuine')
    expect(await deliver(predicate(node.sign(message, [0, 1, 2])))).toBe('success')
    const { wallet, reader } = client()
    const call = {
      address: mailbox,
      abi: ABI,
      functionName: 'receiveText',
      args: [0],
      gas: 2_000_000n,
    } as const
    const hash = await wallet.writeContract(call)
    expect((await reader.waitForTransactionReceipt({ hash })).status).toBe('reverted')
    const results = { address: WARP, abi: ABI, functionName: 'getVerifiedWarpMessage', args: [0] } as const
    expect((await reader.readContract(results))[1]).toBe(false)
  })

  test('has a predicate that does not decode, so the transaction is rejected', async () => {
    const { message } = await send('genuine')
    const words = predicate(node.sign(message, [0, 1, 2]))
    await expect(deliver([...words, new Uint8Array(32)])).rejects.toThrow('not a predicate')
    await expect(deliver(Predicate.encode(Bytes.concat(new Uint8Array(80))))).rejects.toThrow()
  })
})
