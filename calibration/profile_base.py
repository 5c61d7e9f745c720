"""What every part of a table profile is made of."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field


class Strict(BaseModel):
    """A part that refuses keys it does not know."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Measured(Strict):
    """When and how something was measured."""

    at: datetime
    how: str = Field(min_length=1)
