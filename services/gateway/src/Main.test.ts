import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { VERSION } from './Version.ts'

const PROGRAM = fileURLToPath(new URL('bin.ts', import.meta.url))

const run = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, ['--conditions=source', PROGRAM, ...args]).catch((error) => error)

describe('firn-gateway', () => {
  it('prints its version', async () => {
    expect((await run('--version')).stdout.trim()).toBe(VERSION)
  })

  it('rejects a chain without a node', async () => {
    const { code, stderr } = await run('--chain', '43113=nothing')
    expect([code, stderr]).toEqual([2, expect.stringContaining("expected a node's URL")])
  })
})
