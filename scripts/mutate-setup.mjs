// Code that counts which of its changes a test reaches is many times slower, so what measures time would measure that.
import { beforeEach } from 'vitest';

beforeEach(({ task, skip }) => skip(task.name.includes('linear time')));
