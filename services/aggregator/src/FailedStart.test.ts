import { setImmediate as turn } from 'node:timers/promises'
import { createDevnet, type Devnet } from '@firn/devnet'
import type { BoundPort } from '@firn/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createConfiguration } from './configuration/Configuration.ts'
import { createAggregatorService } from './Service.ts'

let devnet: Devnet
beforeAll(async () => {
  devnet = await createDevnet()
})
afterAll(() => devnet.close())

const until = async (condition: () => boolean) => {
  while (!condition()) await turn()
}
const peers = () => devnet.validators.flatMap((validator) => validator.peers()).length

it('disconnects from all validators if a later step of the start fails', async () => {
  const error = new Error('the port is taken')
  let isFreed = false
  const port: BoundPort.BoundPort = {
    ...{ host: '127.0.0.1', port: 1, url: 'http://127.0.0.1:1' },
    serve: async () => {
      await until(() => peers() > 0)
      throw error
    },
    close: async () => {
      isFreed = true
    },
  }
  const own = { pChainApi: devnet.rpcUrl, apiPort: 0, logLevel: 'off', workers: 0 } as const
  await expect(createAggregatorService(createConfiguration(own), { port })).rejects.toBe(error)
  expect(isFreed).toBe(true)
  await until(() => peers() === 0)
})
