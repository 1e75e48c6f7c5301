import { expect, it } from 'vitest'
import manifest from '../package.json' with { type: 'json' }
import * as PackageVersion from './PackageVersion.ts'

it('reads the version of the package that contains a module', () => {
  expect(PackageVersion.read(import.meta.url)).toBe(manifest.version)
})
