"""Arrays and lists of a specification that programs change in place."""

import weakref

import numpy as np


class Arrays:
    """The numpy arrays that were handed out, and where their contents go.

    Rust keeps the values, so an array is a copy. Before anything is done with the specification,
    :meth:`flush` writes the arrays that were changed. An array that nobody holds is dropped then.
    """

    def __init__(self):
        self._entries = {}

    def get(self, key, read, write, dtype):
        """The array with this key; ``read`` gives its contents where nobody has it yet."""
        entry = self._entries.get(key)
        array = None if entry is None else entry.array()
        if array is None:
            array = np.array(read(), dtype)
            entry = self._entries[key] = _Entry(array, write)
        # whoever gets it may change it
        entry.strong = array
        return array

    def assign(self, key, values):
        """Contents that were written elsewhere; whoever holds the array sees them."""
        entry = self._entries.get(key)
        array = None if entry is None else entry.array()
        if array is not None:
            array[:] = values
            entry.written = array.tobytes()

    def move(self, old, to, new):
        """Hand the arrays of an element over to the other specification that it joined."""
        for key in [key for key in self._entries if key[0] == old]:
            to._entries[new, key[1]] = self._entries.pop(key)

    def forget(self, classes):
        """Drop the arrays of default classes that are gone."""
        for key in [key for key in self._entries if key[0][0] in classes]:
            del self._entries[key]

    def flush(self):
        """Write the arrays that were changed."""
        for key, entry in list(self._entries.items()):
            array = entry.array()
            if array is None:
                del self._entries[key]
                continue
            contents = array.tobytes()
            if contents != entry.written:
                entry.written = contents
                entry.write(array.tolist())
            entry.strong = None


class _Entry:
    __slots__ = ("strong", "weak", "write", "written")

    def __init__(self, array, write):
        self.strong = array
        self.weak = weakref.ref(array)
        self.write = write
        self.written = array.tobytes()

    def array(self):
        return self.strong if self.strong is not None else self.weak()


class Vec:
    """A list that writes every change through; its length changes by assignment only."""

    __slots__ = ("_values", "_write", "_kind")

    def __init__(self, values, write, kind):
        self._values = list(values)
        self._write = write
        self._kind = kind

    def __len__(self):
        return len(self._values)

    def _check(self, i):
        if not 0 <= i < len(self._values):
            raise IndexError("Index out of range.")

    def __getitem__(self, i):
        self._check(i)
        return self._values[i]

    def __setitem__(self, i, value):
        self._check(i)
        self._values[i] = self._kind(value)
        self._write(self._values)

    def __iter__(self):
        return iter(self._values)


class MjDoubleVec(Vec):
    """Numbers in double precision."""

    __slots__ = ()


class MjFloatVec(Vec):
    """Numbers in single precision."""

    __slots__ = ()


class MjIntVec(Vec):
    """Integers."""

    __slots__ = ()


class MjByteVec(Vec):
    """Bytes."""

    __slots__ = ()


class MjStringVec(Vec):
    """Texts."""

    __slots__ = ()


class MjCharVec(Vec):
    """Characters."""

    __slots__ = ()
