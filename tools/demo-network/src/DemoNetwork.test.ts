import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hex } from '@firn/codec'
import { State } from '@firn/devnet'
import { Networks } from '@firn/genesis'
import { LedgerState } from '@firn/ledger'
import { Recordings } from '@firn/store/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { createDemoNetwork } from './DemoNetwork.ts'
import * as History from './History.ts'

const folder = mkdtempSync(join(tmpdir(), 'firn-demo-network-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Returns the ledger's state at the end of the recording. */
const recordedLedger = () => {
  const { genesis, constants, chains } = Recordings.load('local')
  const ledger = LedgerState.create(genesis, constants)
  // Iterating over the blocks applies them to the ledger as a side effect.
  Array.from(Recordings.follow(ledger, chains))
  return ledger
}

describe('createDemoNetwork', () => {
  it("creates a devnet with the weights of the ledger's validators, but with new node ids and keys", async () => {
    const ledger = recordedLedger()
    const devnet = await createDemoNetwork(ledger)
    try {
      const members = [...ledger.tables.member.ordered()].filter(({ subnetId }) =>
        subnetId.every((byte) => byte === 0),
      )
      const nodes = State.nodesOf(devnet.state, Networks.PRIMARY_NETWORK_ID)
      const weights = (list: readonly { readonly weight: bigint }[]) =>
        list.map(({ weight }) => weight).sort((a, b) => Number(a - b))
      expect(members.length).toBeGreaterThan(4)
      expect(weights(nodes)).toEqual(weights(members))
      const own = new Set(devnet.validators.map(({ nodeId }) => Hex.encode(nodeId)))
      expect(nodes.every(({ nodeId }) => own.has(Hex.encode(nodeId)))).toBe(true)
      expect(devnet.state.l1Validators.size).toBeGreaterThan(0)
      expect(devnet.state.height).toBe(LedgerState.tip(ledger, 'P').height)
    } finally {
      await devnet.close()
    }
  })
})

describe('unpack', () => {
  it('writes the genesis and the blocks of all three chains to the folder', async () => {
    await History.unpack(folder)
    for (const chain of ['p', 'x', 'c']) {
      expect(readFileSync(join(folder, chain, 'blocks.jsonl'), 'utf8').split('\n').length).toBeGreaterThan(30)
    }
    expect(existsSync(join(folder, 'genesis'))).toBe(true)
  })
})
