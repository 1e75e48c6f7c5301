import { Bech32 } from '@firn/codec'
import { database } from '@firn/sql/testing'
import { recordedStore } from '@firn/store/testing'
import { expect, test } from 'vitest'
import { serve } from './testing/serve.ts'

test.each(['local', 'helicon'] as const)(
  'lists every reward of the %s network, both by owner and by node',
  async (name) => {
    const store = await recordedStore(name)
    const { constants } = (await store.network()) ?? {}
    const made = await database(store)
      .selectFrom('utxo')
      .select(['addresses', 'amount', 'tx_id'])
      .where('origin', '=', 'reward')
      .orderBy('height', 'desc')
      .orderBy('ordinal', 'desc')
      .execute()
    expect(made.length).toBeGreaterThan(0)
    const owners = made
      .flatMap(({ addresses }) => addresses)
      .map((one) => Bech32.encode(constants?.hrp ?? '', one))
    const ask = await serve(store)
    const list = async (query: string) => {
      const { status, json } = await ask(`/v1/networks/fuji/rewards?pageSize=100&${query}`)
      expect([status, json.message]).toEqual([200, undefined])
      return json.historicalRewards as {
        readonly nodeId: string
        readonly reward: { readonly amount: string }
      }[]
    }
    const listed = await list(`addresses=${[...new Set(owners)].join()}`)
    expect(listed.map(({ reward }) => reward.amount)).toEqual(made.map(({ amount }) => String(amount)))
    const nodes = [...new Set(listed.map(({ nodeId }) => nodeId))]
    expect(await list(`nodeIds=${nodes.join()}`)).toEqual(listed)
  },
)
