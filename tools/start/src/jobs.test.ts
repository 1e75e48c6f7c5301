import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './BundleManifest.mjs'
import { find, JOBS, toCommand } from './jobs.mjs'

const toPath = (argument: string) => (argument.startsWith('-') ? argument : `/called/${argument}`)
const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>
}

describe('JOBS', () => {
  it('has a job for each npm script that starts here, and no other', () => {
    const started = Object.entries(scripts).filter(([, script]) => script.includes('/run.mjs '))
    expect(started.map(([name]) => name).sort()).toEqual(Object.keys(JOBS).sort())
    for (const [name, script] of started) expect(script).toBe(`node tools/start/src/run.mjs ${name}`)
  })

  it('names only files that exist', () => {
    const direct = Object.values(JOBS).flatMap((job) => ('direct' in job ? job.direct : []))
    expect(direct.filter((path) => path.startsWith(ROOT) && !existsSync(path))).toEqual([])
  })
})

describe('find', () => {
  it('starts the aggregator, or the service that the first argument names', () => {
    expect(find('start', [])).toBe(JOBS['start'])
    expect(find('start', ['--port', '1'])).toBe(JOBS['start'])
    expect(find('start', ['node', '--port', '1'])).toBe(JOBS['firn'])
    expect(find('test', ['node'])).toBe(JOBS['test'])
  })

  it.each(['', 'unknown', 'toString'])('returns nothing for the script %j', (name) => {
    expect(find(name, [])).toBe(undefined)
  })
})

describe('toCommand', () => {
  it('passes arguments of a direct job as they are', () => {
    expect(toCommand({ direct: ['a.ts'] }, ['x', '--y'], toPath)).toEqual({
      program: 'node',
      argv: ['a.ts', 'x', '--y'],
    })
  })

  it('passes arguments through turbo, as absolute paths if the job takes paths', () => {
    const job = { tasks: ['conformance'], flags: ['--log-prefix=none'] }
    const argv = ['run', 'conformance', '--log-prefix=none', '--']
    expect(toCommand(job, ['x', '--y'], toPath)).toEqual({ program: 'turbo', argv: [...argv, 'x', '--y'] })
    expect(toCommand({ ...job, paths: true }, ['x', '--y'], toPath)).toEqual({
      program: 'turbo',
      argv: [...argv, '/called/x', '--y'],
    })
  })
})
