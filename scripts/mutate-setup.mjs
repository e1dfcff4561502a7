import { configureGlobal } from 'fast-check';
import { beforeEach } from 'vitest';

// That a property fails is enough to know here: its smallest example is not looked for. Fewer tries can only make the
// score worse than it is, and hundreds of them for what nobody notices would take most of the time.
configureGlobal({ endOnFailure: true, interruptAfterTimeLimit: 200, markInterruptAsFailure: false });

// Code that counts which of its changes a test reaches is many times slower, so what measures time would measure that.
beforeEach(({ task, skip }) => skip(task.name.includes('linear time')));
