import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Id } from '@firn/codec'
import { Vm } from '@firn/genesis'
import { createVms } from '@firn/node-api'
import { expect, test } from 'vitest'

const read = (name: string) => readFileSync(new URL(`../docs/${name}`, import.meta.url), 'utf8')

test('loads the documented plugin and decodes a block with it', async () => {
  const [, code, id] = /```js\n(\/\/ (\w+)\.mjs\n[\s\S]*?)```/.exec(read('administration.md')) ?? []
  const folder = await mkdtemp(join(tmpdir(), 'firn-vms-'))
  try {
    await writeFile(join(folder, `${id}.mjs`), code as string)
    const ignore = () => undefined
    const vms = createVms({ folder, log: { debug: ignore, info: ignore, warn: ignore, error: ignore } })
    const { newVMs, failedVMs } = await vms.load()
    expect([...newVMs]).toEqual([[Id.format(Vm.SUBNET_EVM), ['subnetevm']]])
    expect(failedVMs.size).toBe(0)
    expect(vms.decoder(Vm.SUBNET_EVM)?.(new Uint8Array(3))).toEqual({ size: 3 })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
