import { expect, it } from 'vitest'
import * as Command from './Command.ts'
import * as EnvironmentFile from './EnvironmentFile.ts'
import { option } from './Option.ts'
import * as Type from './Type.ts'

it('says what the variable of a switch does that is on by default', () => {
  const options = {
    limits: option(Type.flag, {
      default: true,
      help: 'Limits callers.',
      negatedHelp: 'Serves without limits.',
    }),
  }
  const serve = Command.create({
    ...{ description: 'Serves.', example: '', options, isService: true },
    run: async () => undefined,
  })
  const text = EnvironmentFile.format(new Map([['firn serve', serve]]))
  expect(text).toContain('# Limits callers. With false: Serves without limits.\n')
  expect(text).toContain('#FIRN_LIMITS=true\n')
})
