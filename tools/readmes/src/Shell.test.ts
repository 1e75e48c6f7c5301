import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import * as Shell from './Shell.ts'

const root = mkdtempSync(join(tmpdir(), 'shell-'))
afterAll(() => rmSync(root, { recursive: true }))

const env = { PATH: process.env['PATH'] ?? '', HOME: root }
const create = (patience = { runMs: 60_000, stopMs: 30_000 }, signal = new AbortController().signal) => {
  const folder = mkdtempSync(join(root, 'of-'))
  return Shell.create({ cwd: root, env, folder, patience, signal })
}

describe('run', () => {
  it('runs a command that exits with 0, and keeps its exports and its working directory for the next command', async () => {
    const shell = create()
    await shell.run('export GREETING="hello there"; mkdir -p inner; cd inner')
    await shell.run('test "$GREETING" = "hello there" && test "$(basename "$PWD")" = inner')
    expect(shell.variable('GREETING')).toBe('hello there')
    expect(shell.variable('HOME')).toBe(root)
    expect(shell.variable('ABSENT')).toBeUndefined()
  })

  it('rejects with the exit status and the output of a failed command', async () => {
    await expect(create().run('echo before; (exit 3)')).rejects.toThrow(/ended with 3\nbefore/)
  })

  it('kills a running command on abort', async () => {
    const controller = new AbortController()
    const run = create(undefined, controller.signal).run('sleep 600')
    controller.abort()
    await expect(run).rejects.toThrow('ended with SIGKILL')
  })

  it('rejects when a command does not end within its time limit', async () => {
    const shell = create({ runMs: 300, stopMs: 300 })
    await expect(shell.run('sleep 600')).rejects.toThrow('did not end; if it is a service')
  })
})

describe('start', () => {
  it('waits until a service is ready, and interrupts the service on stop', async () => {
    const running = await create().start(
      "trap 'echo bye; exit 0' INT; echo ready; while :; do sleep 0.1; done",
      /ready/,
    )
    expect(running.isUp()).toBe(true)
    await running.stop()
    expect(running.isUp()).toBe(false)
    expect(running.output()).toContain('bye')
  })

  it('rejects when a service ends before it is ready', async () => {
    await expect(create().start('echo no; exit 4', /ready/)).rejects.toThrow(
      /ended with 4 instead of running until an interrupt\nno/,
    )
  })

  it('rejects when a service never becomes ready', async () => {
    const shell = create({ runMs: 300, stopMs: 300 })
    await expect(shell.start('sleep 600', /ready/)).rejects.toThrow('printed no output that matches /ready/')
  })

  it.each([
    [
      'exits with an error after an interrupt',
      "trap 'exit 7' INT; echo ready; while :; do sleep 0.1; done",
      'ended with 7 after an interrupt',
    ],
    ['ignores an interrupt', "trap '' INT; echo ready; sleep 600", 'did not end after an interrupt'],
  ])('rejects if a command %s', async (_name, text, message) => {
    const running = await create({ runMs: 60_000, stopMs: 2_000 }).start(
      `bash -c '${text.replaceAll("'", "'\\''")}'`,
      /ready/,
    )
    await expect(running.stop()).rejects.toThrow(message)
  })
})
