import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hex, Id } from '@firn/codec'
import { LedgerState } from '@firn/ledger'
import { AvmBlock, AvmTx } from '@firn/txs'
import { IndexerError } from '../../common/IndexerError.ts'
import type { SourceBlock } from '../Source.ts'
import * as Archive from './Archive.ts'
import * as GenesisFiles from './GenesisFiles.ts'

/** Name of the file that contains the issued transactions of a recording, one JSON object per line. */
const FILE = 'txs_issued.jsonl'

/** Returns whether an archive without X-chain blocks contains the X-chain's transactions. */
export function hasIssued(folder: string): boolean {
  return existsSync(join(folder, FILE))
}

/**
 * Builds X-chain blocks for a recording that has none, because imports on the other chains need the X-chain's
 * exports. Builds one block for each issued and accepted transaction, with the time when it was issued. Block ids and
 * heights differ from the network's.
 * @throws IndexerError `INDEXER_ARCHIVE`, `INDEXER_GENESIS`; CodecError for malformed transactions
 */
export async function issuedBlocks(folder: string): Promise<SourceBlock[]> {
  const { genesis, constants } = await GenesisFiles.load({ archive: folder, now: 0n })
  let { height, blockId: parentId } = LedgerState.tip(LedgerState.create(genesis, constants), 'X')
  return issuedTxs(folder).map(({ bytes, time, origin }) => {
    height += 1n
    const txs = [AvmTx.decode(bytes)]
    const merkleRoot = Id.EMPTY
    const block = AvmBlock.encode({
      type: 'StandardBlock',
      parentID: parentId,
      height,
      time,
      merkleRoot,
      txs,
    })
    parentId = Id.hash(block)
    return { kind: 'block', bytes: block, origin }
  })
}

function issuedTxs(folder: string) {
  const path = join(folder, FILE)
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.flatMap((text, i) => {
    if (text === '') return []
    const origin = `${path}:${i + 1}`
    const { chain, error, bytes, time } = parse(text, origin)
    if (chain !== 'X' || error !== undefined || typeof bytes !== 'string') return []
    return [
      {
        bytes: Hex.decode(bytes),
        time: Archive.parseTime(String(time), origin) / 1_000_000_000n,
        origin,
      },
    ]
  })
}

function parse(text: string, origin: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new IndexerError('INDEXER_ARCHIVE', `${origin}: expected JSON: ${(cause as Error).message}`, {
      cause,
    })
  }
}
