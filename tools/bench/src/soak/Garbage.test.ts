import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as Garbage from './Garbage.ts'

/** Prints its memory in MiB for each byte on the standard input, without producing much garbage. */
const PROGRAM = `
  let garbage = Array.from({ length: 1_000_000 }, (_, i) => ({ i }))
  process.stdin.on('data', () => {
    garbage = undefined
    const { heapUsed } = process.memoryUsage()
    console.log(heapUsed / 2 ** 20)
  })`

describe('collect', () => {
  it('collects the garbage of another process', async ({ signal }) => {
    const child = spawn(process.execPath, [Garbage.FLAG, '--eval', PROGRAM])
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    child.stderr.setEncoding('utf8')
    while (Garbage.findInspector(output) === undefined) output += await once(child.stderr, 'data', { signal })
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
    const measure = async () => {
      child.stdin.write('\n')
      return Number((await lines.next()).value)
    }
    const before = await measure()
    await Garbage.collect(Garbage.findInspector(output) as string, signal)
    expect(await measure()).toBeLessThan(before - 10)
  })

  it('gives up when the signal is aborted', async () => {
    const stop = AbortSignal.abort(new RangeError('stopped'))
    await expect(Garbage.collect('ws://127.0.0.1:1/', stop)).rejects.toThrow('stopped')
  })
})
