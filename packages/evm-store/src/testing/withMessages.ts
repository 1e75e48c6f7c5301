import { Hex } from '@firn/codec'
import type { Block, Log } from '@firn/evm'
import { icmLogs, type Random, seeded, type TestMessage, warpLog } from '@firn/evm/testing'

const address = (byte: number) => Hex.encode(new Uint8Array(20).fill(byte))
const chain = (byte: number) => Hex.encode(new Uint8Array(32).fill(byte))

/** Blockchain id of the chain in these messages. */
export const OWN_ID = chain(0xc0)
const TOKEN = address(0xfe)
const RELAYERS = [address(0x41), address(0x42)]

/**
 * Returns the block with logs of interchain messages in its transactions, which depend only on the hash of the block:
 * some are sent, sent again, received, executed, and so on, in any order. For tests only.
 */
export function withMessages(block: Block): Block {
  const random = seeded(new DataView(block.hash.buffer, block.hash.byteOffset).getUint32(0))
  let index = 0n
  const transactions = block.transactions.map((transaction) => {
    const added = random.chance(1 / 3) ? logsOf(random) : []
    return {
      ...transaction,
      logs: [...transaction.logs, ...added].map((log) => ({ ...log, index: index++ })),
    }
  })
  return { ...block, transactions }
}

function logsOf(random: Random): Omit<Log, 'index'>[] {
  const isSent = random.chance(1 / 2)
  const other = chain(random.pick([0xd0, 0xd1]))
  const message: TestMessage = {
    messenger: address(random.pick([0x51, 0x52])),
    ...(isSent ? { source: OWN_ID, destination: other } : { source: other, destination: OWN_ID }),
    nonce: BigInt(1 + random.below(5)),
    from: address(random.pick([0x61, 0x62, 0x63])),
    to: address(random.pick([0x61, 0x62, 0x63])),
    data: '0x00ff',
    fee: [TOKEN, 7n],
  }
  const [relayer, redeemer] = RELAYERS as [`0x${string}`, `0x${string}`]
  const all = isSent
    ? [
        icmLogs.sent(message),
        icmLogs.feeAdded(message, [TOKEN, 9n]),
        icmLogs.receipt(message, redeemer, [TOKEN, 9n]),
        icmLogs.redeemed(message, redeemer, TOKEN, 9n),
        [warpLog(message.from, OWN_ID, '0x0102')],
      ]
    : [icmLogs.received(message, relayer, redeemer), icmLogs.failed(message), icmLogs.executed(message)]
  return all.filter((_, i) => i === 0 || random.chance(1 / 2)).flat()
}
