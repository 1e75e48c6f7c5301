import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Id } from '@firn/codec'
import { Vm } from '@firn/genesis'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createVms, type Vms, type VmsOptions } from './Vms.ts'

const XSVM = Id.format(Vm.XSVM)
const SUBNET_EVM = Id.format(Vm.SUBNET_EVM)
const [AVM, EVM, PLATFORM] = [Vm.AVM, Vm.EVM, Vm.PLATFORM].map((id) => Id.format(id)) as [
  string,
  string,
  string,
]
const FAILED = 'handshake failed: vm process not found'

let folder: string
let reasons: string[]
let vms: Vms
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'firn-vms-'))
  reasons = []
  vms = create()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

function create(options: Partial<VmsOptions> = {}): Vms {
  const quiet = () => undefined
  const warn = (facts: object) => {
    const { reason, name } = facts as { readonly reason?: string; readonly name?: string }
    reasons.push(reason ?? `name ${name}`)
  }
  return createVms({ folder, log: { debug: quiet, info: quiet, warn, error: quiet }, ...options })
}

const put = (name: string, text: string) => writeFile(join(folder, name), text)

function plugin(vmId: string, members: Readonly<Record<string, string>> = {}): string {
  const all = {
    vmID: `'${vmId}'`,
    names: '[]',
    version: "'v1.0.0'",
    decodeBlock: '(bytes) => ({ size: bytes.length })',
    ...members,
  }
  return Object.entries(all)
    .map(([name, value]) => `export const ${name} = ${value}\n`)
    .join('')
}

const refused = (message: string) => expect.objectContaining({ code: 'RPC_REMOTE', message })
const loaded = (newVMs: Record<string, string[]> = {}, failedVMs: Record<string, string> = {}) => ({
  newVMs: new Map(Object.entries(newVMs)),
  failedVMs: new Map(Object.entries(failedVMs)),
})

test('lists the built-in VMs if there are no plugins', async () => {
  expect(vms.list()).toEqual(
    new Map([
      [PLATFORM, ['platform']],
      [AVM, ['avm']],
      [EVM, ['evm']],
    ]),
  )
  expect(vms.versions()).toEqual(
    new Map([
      ['avm', 'avalanchego/1.15.0'],
      ['evm', 'v1.15.0'],
      ['platform', 'avalanchego/1.15.0'],
    ]),
  )
  expect(await vms.load()).toEqual(loaded())
})

describe('plugins', () => {
  test('starts each plugin once and decodes blocks with its decoder', async () => {
    await put(`${XSVM}.mjs`, plugin(XSVM))
    expect(await vms.load()).toEqual(loaded({ [XSVM]: [] }))
    expect(await vms.load()).toEqual(loaded())
    expect(vms.list().get(XSVM)).toEqual([])
    expect(vms.versions().get(XSVM)).toBe('v1.0.0')
    expect(vms.decoder(Vm.XSVM)?.(new Uint8Array(7))).toEqual({ size: 7 })
    expect(vms.decoder(Vm.EVM)).toBeUndefined()
  })

  test('registers the names that a plugin declares, except names that are already in use', async () => {
    await put(`${XSVM}.mjs`, plugin(XSVM, { names: "['xsvm', 'evm', 'example']" }))
    expect(await vms.load()).toEqual(loaded({ [XSVM]: ['xsvm', 'example'] }))
    expect(vms.versions().get('xsvm')).toBe('v1.0.0')
    expect(vms.list().get(EVM)).toEqual(['evm'])
    expect(reasons).toEqual(['name evm'])
  })

  test('accepts a plugin whose file name is a configured alias of the VM', async () => {
    await put('subnet.mjs', plugin(SUBNET_EVM))
    vms = create({ names: new Map([[SUBNET_EVM, ['subnet']]]) })
    expect(await vms.load()).toEqual(loaded({ [SUBNET_EVM]: ['subnet'] }))
    expect(vms.versions().get('subnet')).toBe('v1.0.0')
  })

  test('ignores plugins for built-in VMs', async () => {
    await put('evm.mjs', plugin(EVM))
    await put(`${AVM}.mjs`, plugin(AVM))
    expect(await vms.load()).toEqual(loaded())
    expect(vms.versions().get('evm')).toBe('v1.15.0')
  })

  test('reports a new plugin in only one of two concurrent calls', async () => {
    await put(`${XSVM}.mjs`, plugin(XSVM))
    const both = await Promise.all([vms.load(), vms.load()])
    expect(both).toEqual([loaded({ [XSVM]: [] }), loaded()])
  })
})

describe('plugins that fail to start', () => {
  test.each<[string, string, string | RegExp]>([
    ['a file that is not a module', 'no module', /./],
    ['a module that throws', "throw new Error('no licence')", 'no licence'],
    ['a module of another VM', plugin(SUBNET_EVM), `the module must export vmID ${XSVM}`],
    ['an invalid id', plugin('xsvm'), `the module must export vmID ${XSVM}`],
    ['a module without exports', '', `the module must export vmID ${XSVM}`],
    [
      'names that are a string',
      plugin(XSVM, { names: "'a'" }),
      'the module must export names, an array of strings',
    ],
    [
      'a name that is a number',
      plugin(XSVM, { names: '[1]' }),
      'the module must export names, an array of strings',
    ],
    [
      'a version that is a number',
      plugin(XSVM, { version: '1' }),
      'the module must export version, a string',
    ],
    [
      'a decodeBlock that is not a function',
      plugin(XSVM, { decodeBlock: '{}' }),
      'the module must export decodeBlock, a function',
    ],
  ])('rejects %s', async (_case, text, reason) => {
    await put(`${XSVM}.mjs`, text)
    expect(await vms.load()).toEqual(loaded({}, { [XSVM]: FAILED }))
    expect(vms.list().get(XSVM)).toEqual([])
    expect(vms.versions().has(XSVM)).toBe(false)
    expect(vms.decoder(Vm.XSVM)).toBeUndefined()
    expect(reasons).toEqual([typeof reason === 'string' ? reason : expect.stringMatching(reason)])
    expect(await vms.load()).toEqual(loaded())
  })
})

describe('plugin folder', () => {
  test('skips hidden files and folders', async () => {
    await put('.hidden', '')
    await mkdir(join(folder, 'a folder'))
    expect(await vms.load()).toEqual(loaded())
  })

  test.each([
    ['readme.txt', 'readme'],
    ['a"b', 'a"b'],
    ['.two.dots', '.two'],
    [`${XSVM.slice(0, -1)}.mjs`, XSVM.slice(0, -1)],
  ])('loads no plugin if the folder contains the invalid file name %j', async (name, shown) => {
    await put(`${XSVM}.mjs`, plugin(XSVM))
    await put(name, '')
    await expect(vms.load()).rejects.toEqual(refused(`invalid vmID: ${JSON.stringify(shown)}`))
    expect(vms.list().has(XSVM)).toBe(false)
    await rm(join(folder, name))
    expect(await vms.load()).toEqual(loaded({ [XSVM]: [] }))
  })

  test("returns the node's error text if the plugin folder cannot be read", async () => {
    const missing = join(folder, 'missing')
    await expect(create({ folder: missing }).load()).rejects.toEqual(
      refused(`open ${missing}: no such file or directory`),
    )
    await put('file', '')
    const file = join(folder, 'file')
    await expect(create({ folder: file }).load()).rejects.toEqual(refused(`open ${file}: not a directory`))
  })
})
