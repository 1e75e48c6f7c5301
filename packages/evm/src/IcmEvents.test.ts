import { Hex } from '@firn/codec'
import type { Hex as HexText } from 'viem'
import { expect, test } from 'vitest'
import type { Log } from './Block.ts'
import * as IcmEvents from './IcmEvents.ts'
import * as TeleporterMessage from './TeleporterMessage.ts'
import { icmId, icmLogs, messengerLog, type TestMessage, warpLog } from './testing/icmLogs.ts'

const address = (byte: string): HexText => `0x${byte.repeat(20)}`
const chain = (byte: string): HexText => `0x${byte.repeat(32)}`
const ONE: TestMessage = {
  messenger: '0x253b2784c75e510dd0ff1da844684a1ac0aa5fcf',
  source: chain('a1'),
  destination: chain('b2'),
  nonce: 7n,
  from: address('0f'),
  to: address('70'),
  data: '0xc0ffee',
  receipts: [[3n, address('11')]],
  fee: [address('fe'), 1_000n],
}
const RELAYER = address('11')
const REDEEMER = address('22')

const indexed = (logs: readonly Omit<Log, 'index'>[]): readonly Log[] =>
  logs.map((log, i) => ({ ...log, index: BigInt(i) }))
const read = (...logs: readonly Omit<Log, 'index'>[][]) =>
  IcmEvents.ofTransaction({ index: 4, logs: indexed(logs.flat()) })
const kinds = (...logs: readonly Omit<Log, 'index'>[][]) => read(...logs).map(({ kind }) => kind)

test('has the topics of the deployed contracts', () => {
  // From the Go bindings of the contract that is deployed on all chains.
  expect(IcmEvents.TOPICS).toMatchObject({
    sent: '0x2a211ad4a59ab9d003852404f9c57c690704ee755f3c79d2c2812ad32da99df8',
    failed: '0x4619adc1017b82e02eaefac01a43d50d6d8de4460774bc370c3ff0210d40c985',
    receipt: '0xd13a7935f29af029349bed0a2097455b91fd06190a30478c575db3f31e00bf57',
    feeAdded: '0xc1bfd1f1208927dfbd414041dcb5256e6c9ad90dd61aec3249facbd34ff7b3e1',
  })
})

test('reads each event that viem encodes', () => {
  const fee = [address('fe'), 1_500n] as const
  const events = read(
    icmLogs.sent(ONE),
    icmLogs.received(ONE, RELAYER, REDEEMER),
    icmLogs.failed(ONE),
    icmLogs.executed(ONE),
    icmLogs.feeAdded(ONE, fee),
    icmLogs.receipt(ONE, REDEEMER, fee),
    icmLogs.redeemed(ONE, REDEEMER, address('fe'), 9_000n),
  )
  const message = {
    nonce: 7n,
    sender: Hex.decode(ONE.from),
    destination: Hex.decode(ONE.destination),
    recipient: Hex.decode(ONE.to),
    requiredGasLimit: 100_000n,
    allowedRelayers: [],
    receipts: [{ nonce: 3n, relayer: Hex.decode(address('11')) }],
    data: Hex.decode('0xc0ffee'),
  }
  const messageId = Hex.decode(icmId(ONE))
  const token = Hex.decode(address('fe'))
  expect(events.map(({ kind, logIndex, transactionIndex }) => [kind, logIndex, transactionIndex])).toEqual([
    ['sent', 0n, 4],
    ['received', 2n, 4],
    ['failed', 3n, 4],
    ['executed', 4n, 4],
    ['feeAdded', 5n, 4],
    ['receipt', 6n, 4],
    ['redeemed', 7n, 4],
  ])
  const [sent, received, failed, executed, added, receipt, redeemed] = events
  const source = Hex.decode(ONE.source)
  expect(sent).toMatchObject({ messageId, source, message, fee: { token, amount: 1_000n } })
  expect(received).toMatchObject({
    ...{ messageId, source, message, relayer: Hex.decode(RELAYER), rewardRedeemer: Hex.decode(REDEEMER) },
  })
  for (const one of [failed, executed]) expect(one).toMatchObject({ messageId, source })
  expect(added).toMatchObject({ messageId, fee: { token, amount: 1_500n } })
  expect(receipt).toMatchObject({ messageId, relayer: Hex.decode(REDEEMER), fee: { token, amount: 1_500n } })
  expect(redeemed).toMatchObject({ relayer: Hex.decode(REDEEMER), fee: { token, amount: 9_000n } })
  // The message can be read again from the stored bytes.
  expect(sent?.kind === 'sent' && IcmEvents.messageOf(sent.unsigned)).toEqual(message)
  expect(received?.kind === 'received' && IcmEvents.messageOfDelivery(received.data)).toEqual(message)
  expect(TeleporterMessage.id(Hex.decode(ONE.messenger), source, message.destination, 7n)).toEqual(messageId)
})

test('reads Warp messages of other contracts', () => {
  const [event] = read([warpLog(ONE.to, ONE.source, '0x0102')])
  expect(event).toMatchObject({
    kind: 'warp',
    contract: Hex.decode(ONE.to),
    source: Hex.decode(ONE.source),
  })
})

test('pairs several messages of a transaction with their Warp messages', () => {
  const other = { ...ONE, nonce: 8n, data: '0x01' as const }
  const [sentOne = [], sentOther = []] = [icmLogs.sent(ONE), icmLogs.sent(other)]
  const [first, warpOfFirst] = sentOne
  const [second, warpOfSecond] = sentOther
  const events = read([first, second, warpOfSecond, warpOfFirst] as Omit<Log, 'index'>[])
  expect(events.map((one) => one.kind === 'sent' && IcmEvents.messageOf(one.unsigned)?.nonce)).toEqual([
    7n,
    8n,
  ])
})

test.each<[string, () => Omit<Log, 'index'>[], string[]]>([
  ['a message that was not sent as a Warp message', () => icmLogs.sent(ONE).slice(0, 1), []],
  [
    'a Warp message that another contract sent',
    () => [...icmLogs.sent(ONE).slice(0, 1), ...icmLogs.sent({ ...ONE, messenger: address('ee') }).slice(1)],
    ['warp'],
  ],
  [
    'a message sent with the id of another contract',
    () =>
      icmLogs.sent(ONE).map((log, i) => {
        const [topic, id, ...rest] = log.topics as [Uint8Array, Uint8Array]
        return i === 1 ? log : { ...log, topics: [topic, id.toReversed(), ...rest] }
      }),
    ['warp'],
  ],
  [
    'a delivery with the id of another message',
    () =>
      icmLogs.received(ONE, RELAYER, REDEEMER).map((log) => ({ ...log, address: Hex.decode(address('ee')) })),
    [],
  ],
  [
    'data that are cut off',
    () =>
      icmLogs.received(ONE, RELAYER, REDEEMER).map((log) => ({ ...log, data: log.data.subarray(0, 160) })),
    [],
  ],
  [
    'a Warp message with another hash',
    () =>
      [warpLog(ONE.to, ONE.source, '0x01')].map((log) => ({
        ...log,
        data: warpLog(ONE.to, ONE.source, '0x02').data,
      })),
    [],
  ],
  [
    'an event without topics',
    () => [
      {
        ...messengerLog(ONE.messenger, 'MessageExecuted', {
          messageID: icmId(ONE),
          sourceBlockchainID: ONE.source,
        }),
        topics: [],
      },
    ],
    [],
  ],
])('does not take %s for a message', (_what, logs, expected) => {
  expect(kinds(logs())).toEqual(expected)
})
