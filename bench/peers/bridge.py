"""Answers the requests of python.mjs, one line of JSON each, until its input ends."""

import base64
import json
import os
import sys

import numpy

# What libraries print must not come between the answers.
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)


def serve(handlers):
    answer({})
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer(handlers[request.pop("do")](**request))
        except Exception as error:
            answer({"error": f"{type(error).__name__}: {error}"})


def answer(value):
    answers.write(json.dumps(value) + "\n")
    answers.flush()


def decoded(vector):
    return numpy.frombuffer(base64.b64decode(vector), dtype="<f4")
