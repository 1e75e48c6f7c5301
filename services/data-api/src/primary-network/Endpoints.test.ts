import { recordedStore } from '@firn/store/testing'
import { expect, test } from 'vitest'
import { serve } from '../testing/serve.ts'

test('every transaction of the P-chain has a shape', async () => {
  const ask = await serve(await recordedStore('local'))
  const answer = await ask('/v1/networks/fuji/blockchains/p-chain/transactions?pageSize=100')
  console.log(JSON.stringify(answer.json, null, 1).slice(0, 3000))
  expect(answer.status).toBe(200)
})
test('lists', async () => {
  const ask = await serve(await recordedStore('local'))
  for (const path of [
    'subnets',
    'blockchains',
    'l1Validators?includeInactiveL1Validators=true',
    'blockchains/c-chain',
    'blockchains/p-chain/transactions:listStaking',
  ]) {
    const answer = await ask(`/v1/networks/fuji/${path}`)
    console.log(path, answer.status, JSON.stringify(answer.json).slice(0, 1500))
  }
})
