import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import * as Trial from './Trial.ts'

const FOLDER = fileURLToPath(new URL('..', import.meta.url))
const FILE = fileURLToPath(new URL('Sampling.ts', import.meta.url))
const TEXT = readFileSync(FILE, 'utf8')

describe('run', () => {
  test.each([
    ['survived', 'an unchanged file', FILE, undefined],
    ['noticed', 'a file with a fault', FILE, TEXT.replace('.slice(0, max)', '')],
    ['survived', 'a change without an effect', FILE, `${TEXT}\n`],
    ['untested', 'a file that no test imports', fileURLToPath(new URL('main.ts', import.meta.url)), ''],
  ])('returns %j for %s', async (verdict, _name, file, mutant) => {
    expect(await Trial.run(FOLDER, file, mutant, 80_000)).toBe(verdict)
  })
})
