#!/usr/bin/env node
import { Program as OptionsProgram } from '@firn/options'
import * as Program from './Program.ts'

await OptionsProgram.main(Program.PROGRAM, process)
