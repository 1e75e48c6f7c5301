import { createServer } from 'node:http'
import { Id } from '@firn/codec'
import { systemClock } from '@firn/runtime'
import { afterEach, expect, it } from 'vitest'
import { createConfiguration } from '../configuration/Configuration.ts'
import { C_CHAIN, createFakePChain, L1_CHAIN } from '../testing/fakes.ts'
import { createChainEpochs, createEpochDuration } from './ChainEpochs.ts'
import { createEpochs } from './Epochs.ts'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** Starts a node that responds to every JSON-RPC call with the given outcome. */
async function listen(outcome: object, status = 200) {
  const paths: (string | undefined)[] = []
  const server = createServer((request, response) => {
    paths.push(request.url)
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...outcome }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => server.close())
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`, paths }
}

function epochsOf(url: string, chainId = C_CHAIN) {
  const configuration = createConfiguration({ chainRpc: `${Id.format(chainId)}=${url}`, pChainApi: url })
  return createEpochs({
    chains: createChainEpochs(configuration, systemClock),
    durationSeconds: async () => 300,
    clock: systemClock,
  })
}

it('returns the epoch that the node of the chain reports, and the epoch of the P-chain from the P-chain API', async () => {
  const { url, paths } = await listen({ result: { number: '7', startTime: '100', pChainHeight: '55' } })
  const epoch = { number: 7n, startTime: 100n, pChainHeight: 55n, durationSeconds: 300 }
  expect(await epochsOf(`${url}/ext/bc/C/rpc`).current(C_CHAIN)).toEqual(epoch)
  expect(await epochsOf(url).current(Id.EMPTY)).toEqual(epoch)
  expect(paths).toEqual(['/ext/bc/C/proposervm', '/ext/bc/P/proposervm'])
})

it('returns no epoch for a chain before Granite', async () => {
  const unset = await listen({ result: { number: '0', startTime: '0', pChainHeight: '0' } })
  const old = await listen({ error: { code: -32000, message: 'rpc: can\'t find method "x"' } })
  expect(await epochsOf(unset.url).current(C_CHAIN)).toBeUndefined()
  expect(await epochsOf(old.url).current(C_CHAIN)).toBeUndefined()
})

it('rejects chains without a node API, and reports a node that fails', async () => {
  const down = await listen({}, 404)
  await expect(epochsOf(down.url).current(L1_CHAIN)).rejects.toMatchObject({
    code: 'AGGREGATOR_CHAIN_NOT_CONFIGURED',
    message: expect.stringContaining(`--chain-rpc ${Id.format(L1_CHAIN)}=<url>`),
  })
  await expect(epochsOf(down.url).current(C_CHAIN)).rejects.toMatchObject({ code: 'AGGREGATOR_CHAIN_RPC' })
})

it('knows the length of an epoch on public networks, and asks an upstream on others until it responds', async () => {
  const pChain = createFakePChain()
  expect(await createEpochDuration(1, pChain)()).toBe(300)
  const duration = createEpochDuration(12345, { epochDurationSeconds: () => pChain.height().then(() => 60) })
  pChain.isDown = true
  expect(await duration()).toBe(30)
  pChain.isDown = false
  expect([await duration(), await duration()]).toEqual([60, 60])
  expect(pChain.calls).toEqual(['height', 'height'])
})
